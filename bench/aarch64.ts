export async function aarch64(): Promise<number> {
  return 1;
}
