/** Names for what features offer to operations and to each other, with its type. */
declare const api: unique symbol;

export interface Token<Api> {
  readonly id: string;
  readonly [api]?: Api;
}

/** Operations of the public listener may use it too. */
export interface PublicToken<Api> extends Token<Api> {
  readonly isPublic: true;
}

export const token = <Api>(id: string): Token<Api> => ({ id });
export const publicToken = <Api>(id: string): PublicToken<Api> => ({ id, isPublic: true });
