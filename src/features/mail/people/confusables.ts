/**
 * Letters that look like Latin ones: those of Cyrillic, Greek and Armenian, and Latin ones beyond ASCII, from Unicode's
 * confusables.txt (UTS #39, https://www.unicode.org/Public/security/latest/confusables.txt), both cases. Full-width and
 * mathematical forms are not here: compatibility decomposition (NFKD) makes them plain before.
 */
const PAIRS = [
  // Cyrillic
  'аa еe оo рp сc уy хx іi јj ѕs ԁd ԛq ԝw һh ӏl ѵv гr ґr ьb ԍg үy ҽe',
  'АA ВB ЕE ЅS ІI ЈJ КK МM НH ОO РP СC ТT УY ХX ҮY ԌG ԚQ ԜW ЬB ӀI',
  // Greek
  'αa γy ιi κk νv οo ρp σo τt υu χx ϳj ϲc',
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX ϹC',
  // Armenian
  'ցg զq հh յj ոn սu օo գq ղn',
  'ՏS ՍU ՕO ԼL',
  // Latin
  'ıi ɑa ɡg ɩi ɪi ʋu ʏy øo łl đd ħh ŧt ƿp ɵo ꜱs ʟl',
];

/** Character → the ASCII letter it looks like. */
export const CONFUSABLE: Readonly<Record<string, string>> = Object.fromEntries(
  PAIRS.flatMap((line) => line.split(' '))
    .map((pair) => [...pair])
    .map(([like = '', latin = '']) => [like, latin]),
);
