/** Words between conditions of accounts, units and packages, in the form of `words.ts`. */
export const ACCOUNT_WORDS = `
word not: besides|beside|but no|but without|but cannot|but can t|but don t|but doesn t|but aren t|but isn t|but never|other than
  ausser noch
  ademas de|a parte de|aparte de|mas que
  a part|en dehors de|autre que|d autre que
filler: anyone|anybody|somebody|someone|else|but have|but has|but are|but is
  aber|jemand|irgendjemand|sonst|noch jemand|man
  pero|alguien|alguien mas|quien mas
  mais|quelqu un|quelqu un d|existent
trait systemd: unit|units|systemd timers
  unit|units|einheiten
  unidad|unidades
  unite|unites
trait by-password: password login
  passwort login
  acceso por contrasena
  connexion par mot de passe
filler: who of
  wer von
  quien de
  qui de
`;
