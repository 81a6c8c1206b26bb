/** Texts as sentences. Imports nothing. */

export const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** With a full stop unless it ends like a sentence. */
export const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** With a capital and a full stop; "" stays empty. */
export const asSentence = (text: string): string => (text === '' ? '' : withStop(capitalised(text)));
