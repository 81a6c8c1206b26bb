/** Every place, by kind. */
import type { Place } from '../place.ts';
import { ACCESS } from './access.ts';
import { BOOT } from './boot.ts';
import { KERNEL } from './kernel.ts';
import { PACKAGING } from './packaging.ts';
import { PROGRAMS } from './programs.ts';
import { RIGHTS } from './rights.ts';
import { SCHEDULED } from './scheduled.ts';
import { SERVICES } from './services.ts';
import { SHELLS } from './shells.ts';
import { SYSTEM } from './system.ts';
import { SYSTEMD } from './systemd.ts';

export const PLACES: readonly Place[] = [
  ...SCHEDULED,
  ...SYSTEMD,
  ...BOOT,
  ...KERNEL,
  ...SHELLS,
  ...ACCESS,
  ...SYSTEM,
  ...PACKAGING,
  ...PROGRAMS,
  ...SERVICES,
  ...RIGHTS,
];
