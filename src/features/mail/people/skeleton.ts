/** Skeletons in the manner of UTS #39 section 4: two texts that people mistake for each other have the same one. */
import { domainToUnicode } from 'node:url';

/**
 * Letters that resemble Latin ones: those of Cyrillic, Greek and Armenian, and Latin ones beyond ASCII, from Unicode's
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

/** Character → the ASCII letter it resembles. */
const CONFUSABLE: Readonly<Record<string, string>> = Object.fromEntries(
  PAIRS.flatMap((line) => line.split(' '))
    .map((pair) => [...pair])
    .map(([like = '', latin = '']) => [like, latin]),
);

/** The same text for all that are easily confused: compatibility forms, marks, case, confusables, 0 and o, 1 and l, rn and m, vv and w. */
export function skeleton(text: string): string {
  let plain = text;
  if (/[^ -~]/.test(plain)) {
    plain = plain.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '');
    plain = plain.replaceAll(/[^ -~]/gu, (char) => CONFUSABLE[char] ?? char);
  }
  return plain
    .toLowerCase()
    .replaceAll(/[^ -~]/gu, (char) => CONFUSABLE[char] ?? char)
    .replaceAll(/0/g, 'o')
    .replaceAll(/[1|]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/** A domain as people see it. */
export const shown = (domain: string): string =>
  domain.includes('xn--') ? domainToUnicode(domain) || domain : domain;

export const domainSkeleton = (domain: string): string => skeleton(shown(domain));

/** Skeleton of a name by which two people are mistaken for each other; "" for one word alone, which many share. */
export function nameSkeleton(name: string): string {
  const words = skeleton(name)
    .split(/[\s,.]+/)
    .filter((word) => word !== '')
    .sort();
  return words.length < 2 ? '' : words.join(' ');
}
