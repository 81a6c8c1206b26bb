/** The desk hygiene record (`DESK_AV`). */
import { z } from 'zod';
import { localTime } from '../engine/time.ts';
import { constant, field, group, prose, record } from './define.ts';
import { virusState, virusUp } from './derive.ts';
import { live } from './groups/live.ts';
import * as texts from './texts.ts';

export const deskHygiene = record(
  'DeskHygiene',
  'Hygiene of the desk: wrapping, listeners, atoms, the port that must stay down',
  {
    ts: field(z.string(), 'local time of the snapshot, without offset', (m) => localTime(m.snapshot.at)),
    word: constant('DESK_AV', 'name of this record'),
    kind: prose(texts.hygieneKind, 'kind of record'),
    issue6: field(z.string(), 'issue 6 from [links]; "" = not configured', (m) => m.desk.config.links.issue6),
    live,
    datacenter_port_8766: group('The listener that must stay down', {
      is_virus: constant(true, 'its classification, up or down'),
      what: prose(texts.virusWhat, 'what is looked for'),
      status: field(
        z.enum(['active', 'inactive', 'failed']),
        'inactive is good; failed means the port could not be looked at',
        virusState,
      ),
      up: field(
        z.boolean(),
        'something was seen to listen on port 8766, any address; status failed says that it could not be looked at',
        virusUp,
      ),
      law: prose(texts.virusLaw, 'the rule about it'),
    }),
    cli: group('Commands that run as printed', {
      av_close: prose('desk av close once', 'a full antivirus pass'),
      field_clear: prose('desk field clear soft', 'clears stale residue of the desk itself'),
      scar: prose('desk scar cook check', 'dry run of cook-off'),
      spv: prose('desk spv antivirus once', 'the wrap sweep'),
      secure_learn: prose(
        'desk secure learn once',
        'learns what runs, unless there are scars other than changed programs',
      ),
      status: prose('desk status', 'the desk status for people'),
    }),
    law: prose(texts.hygieneLaw, 'the rule about hygiene'),
  },
);
