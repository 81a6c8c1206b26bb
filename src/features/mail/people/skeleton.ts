/** Skeletons in the manner of UTS #39 section 4: two texts that people mistake for each other have the same one. */
import { domainToUnicode } from 'node:url';
import { CONFUSABLE } from './confusables.ts';

/**
 * The same text for all that look alike: compatibility forms, marks, case and confusable characters are one, and so are 0 and o,
 * 1 and l, rn and m, vv and w.
 */
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
