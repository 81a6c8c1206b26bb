/** The operations of the public listener, one file a line. What this file imports reaches nothing that controls the desk. */
export * from './people.ts';
export * from './public-pages.ts';
