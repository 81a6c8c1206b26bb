/** Whose files the desk reads: a container has its own `/`, and what starts by itself, accounts and packages are then not those of the machine. */

interface Sight {
  readonly id: string;
  /** Null: not known. */
  readonly works: boolean | null;
  readonly reason: string;
}

/** Of a view of `containerView`: why files are not, or may not be, those of the machine; "" where they are. */
export const containerFiles = (view: { readonly sights: readonly Sight[] } | null): string =>
  view?.sights.find(({ id, works }) => id === 'files' && works !== true)?.reason ?? '';
