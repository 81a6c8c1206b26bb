/** What others use of the hostess: the documentation, searched. */
export { entriesFor } from './documentation.ts';
