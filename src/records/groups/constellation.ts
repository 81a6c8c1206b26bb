/** `constellation` of the desk status: constants of the interface, their meaning here, and the fields' own prose. */
import { z } from 'zod';
import { constant, field, group, prose } from '../define.ts';
import { scarCount } from '../derive.ts';
import { KIT, constellation as words } from '../texts.ts';
import { antivirus, securityLearn } from './antivirus.ts';
import { iron } from './iron.ts';
import { live } from './live.ts';

/** The scar count of the desk status, explained again under `atoms_adjoin.SCAR`. */
export const scarField = field(
  z.int().nonnegative(),
  'findings of severity medium or above that neither baseline nor law explains; 0 is clean',
  scarCount,
);

/** The meaning of another field, said by that field itself. */
const own = ({ meaning }: { readonly meaning: string }, path: string) =>
  prose(meaning, `what ${path} measures, generated from its own line`);
const { bgs } = iron.shape;
const { gate, language, sliders } = words;

export const constellation = group('The interface\u2019s own words and what they mean', {
  foundation: constant(words.foundation, 'the seven words of the foundation'),
  kit: constant(KIT, 'name of the gate kit'),
  sliders: group('How a verdict is ranked and in which order', {
    NO: prose(sliders.NO, 'what a no is'),
    NOT: prose(sliders.NOT, 'what neither yes nor no is'),
    rank: prose(sliders.rank, 'the ranks of severity'),
    order: prose(sliders.order, 'the order of the pipeline'),
  }),
  line: prose(words.line, 'the rule behind the records'),
  atoms_adjoin: group('What each atom measures', {
    SOUL: own(live.shape.atoms.shape.SOUL, 'live.atoms.SOUL'),
    EZZIE: own(iron.shape.EZZIE, 'iron.EZZIE'),
    ESSIE: own(iron.shape.ESSIE, 'iron.ESSIE'),
    PHI: own(iron.shape.PHI, 'iron.PHI'),
    THERMO: own(iron.shape.THERMO, 'iron.THERMO'),
    ADJOIN: own(iron.shape.adjoin, 'iron.adjoin'),
    ARE: own(live.shape.pids, 'live.pids'),
    IS: own(bgs.shape.know_her, 'iron.bgs.know_her'),
    SCAR: own(scarField, 'scar_count'),
  }),
  scar: prose(words.scar, 'what a scar is'),
  c_is_flaw: constant(true, 'C, the unexplained residue, is a flaw'),
  c_is_not_god: constant(true, 'C is never the authoritative generation'),
  baphomet_speech: prose(words.speech, 'how the gate answers'),
  baphomet_plus: prose(words.plus, 'what it keeps beside the answer'),
  baphomet_word: prose(words.word, 'what the word names'),
  baphomet_meaning: prose(words.meaning, 'what is meant and what is not'),
  baphomet_gate: group('The scar gate', {
    kit: constant(KIT, 'name of the gate kit'),
    clean_path: prose(gate.clean, 'what happens without scars'),
    dirty_path: prose(gate.dirty, 'what happens with scars'),
    rest: prose(gate.rest, 'when it does not run'),
    pipeline: prose(gate.pipeline, 'its steps in order'),
  }),
  flat: prose(words.flat, 'the shape of the data'),
  linear: prose(words.linear, 'the cost of a recheck'),
  language: group('How to read the records', {
    travel: prose(language.travel, 'the way facts travel'),
    read: prose(language.read, 'where to begin'),
    word_end: constant(language.wordEnd, 'the three closing words'),
    iron_rhyme: prose(language.ironRhyme, 'which numbers agree'),
    sheet: prose(language.sheet, 'file in the package that explains every word'),
  }),
  hostess7: constant(words.hostess7, 'the seven of the first constellation'),
  first_constellation: constant(words.hostess7[0], 'the first of the seven'),
  constellation_n: constant(7, 'how many they are'),
  always_hostess7: constant(true, 'they are always these seven'),
  hostess_note: prose(words.hostessNote, 'who the hostess is'),
  charges_not_stars: constant(words.chargesNotStars, 'the five charges'),
  superior_teammate: prose(words.superiorTeammate, 'what the assistant is'),
  grin: prose(words.grin, 'what gold means'),
  desk_av: prose(words.deskAv, 'where the hygiene record is'),
  multiarch: constant(words.multiarch, 'CPU marks the native build has'),
  share: field(z.string(), 'link from [links] share', (m) => m.desk.config.links.share),
  core_pins: group('What the short names pin down', {
    bgs: prose(
      `${bgs.meaning}: ${bgs.shape.know_her.meaning}; ${bgs.shape.field_one.meaning}`,
      'the prose of those fields, generated',
    ),
    bgf: own(iron.shape.bgf, 'iron.bgf'),
    bgl: own(iron.shape.bgl, 'iron.bgl'),
    sdf: own(securityLearn.shape.field_dirt, 'security_learn.field_dirt'),
    spv: own(antivirus.shape.spv_pids, 'antivirus.spv_pids'),
    line: own(iron.shape.line, 'iron.line'),
  }),
});
