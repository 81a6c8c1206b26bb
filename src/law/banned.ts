/** The port whose listener is classed as a virus, whatever holds it (interface rule 1). */
export const BANNED_PORT = 8766;
