/** Findings as OCSF events: the attributes that version 1.3.0 requires of a Detection Finding and its objects, and their enumerations. */
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CHECKS } from '../../src/checks/index.ts';
import { findingOf } from '../../src/records/finding.ts';
import { ocsfEvent } from '../../src/records/ocsf.ts';
import { anyState } from '../support/arbitrary-state.ts';
import { findingFrom } from '../support/state.ts';

const test = suite('ocsf');

type Value = Record<string, unknown>;
interface Shape {
  readonly required?: readonly string[];
  readonly oneOf?: readonly string[];
  /** Values of enumerations; of an id with its caption, the caption too. */
  readonly values?: Readonly<Record<string, readonly unknown[]>>;
  readonly objects?: Readonly<Record<string, Shape>>;
  readonly types?: Readonly<Record<string, 'string' | 'number' | 'boolean'>>;
}

const FILE: Shape = { required: ['name', 'type_id'], values: { type_id: [0, 1, 2, 3, 4, 5, 6, 7, 99] } };
const PROCESS: Shape = {
  oneOf: ['pid', 'uid', 'cpid'],
  types: { pid: 'number', name: 'string' },
  objects: { file: FILE, user: { oneOf: ['account', 'name', 'uid'], types: { uid: 'string' } } },
};
const ATTACK: Shape = {
  required: ['version'],
  oneOf: ['tactic', 'technique', 'sub_technique'],
  objects: { technique: { oneOf: ['name', 'uid'] }, sub_technique: { oneOf: ['name', 'uid'] } },
};

/** From events/findings/detection_finding, its parents and objects in the schema. */
const DETECTION_FINDING: Shape = {
  required: [
    ...['activity_id', 'category_uid', 'class_uid', 'finding_info', 'metadata', 'severity_id', 'time'],
    ...['type_uid', 'device'],
  ],
  values: {
    activity_id: [0, 1, 2, 3, 99],
    category_uid: [2],
    class_uid: [2004],
    type_uid: [200400, 200401, 200402, 200403, 200499],
    severity_id: [0, 1, 2, 3, 4, 5, 6, 99],
    status_id: [0, 1, 2, 3, 4, 5, 6, 99],
  },
  types: { time: 'number', message: 'string', is_alert: 'boolean' },
  objects: {
    metadata: {
      required: ['product', 'version'],
      values: { version: ['1.3.0'] },
      objects: { product: { required: ['vendor_name'], oneOf: ['name', 'uid'] } },
    },
    device: {
      required: ['type_id'],
      oneOf: ['hostname', 'ip', 'name', 'uid', 'instance_uid', 'interface_uid', 'interface_name'],
      values: { type_id: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 99] },
    },
    finding_info: {
      required: ['uid', 'title'],
      types: { uid: 'string', title: 'string', first_seen_time: 'number', last_seen_time: 'number' },
      objects: {
        analytic: { required: ['type_id'], values: { type_id: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 99] } },
        attacks: ATTACK,
      },
    },
    evidences: {
      oneOf: ['actor', 'connection_info', 'data', 'dst_endpoint', 'file', 'process', 'src_endpoint'],
      objects: {
        file: FILE,
        process: PROCESS,
        dst_endpoint: { oneOf: ['ip', 'hostname', 'name'] },
        connection_info: { required: ['direction_id'], values: { direction_id: [0, 1, 2, 3, 99] } },
      },
    },
    remediation: { required: ['desc'] },
  },
};

/** Every way in which a value does not have the shape. */
function faults(value: unknown, shape: Shape, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((one, index) => faults(one, shape, `${at}[${index}]`));
  if (typeof value !== 'object' || value === null) return [`${at} is no object`];
  const object = value as Value;
  const { required = [], oneOf = [], values = {}, objects = {}, types = {} } = shape;
  return [
    ...required.filter((name) => object[name] === undefined).map((name) => `${at}.${name} is missing`),
    ...(oneOf.length > 0 && !oneOf.some((name) => object[name] !== undefined)
      ? [`${at} has none of ${oneOf.join(', ')}`]
      : []),
    ...Object.entries(values).flatMap(([name, known]) =>
      object[name] === undefined || known.includes(object[name]) ? [] : [`${at}.${name}: ${object[name]}`],
    ),
    ...Object.entries(types).flatMap(([name, type]) =>
      object[name] === undefined || (typeof object[name] === type && !Number.isNaN(object[name]))
        ? []
        : [`${at}.${name} is no ${type}`],
    ),
    ...Object.entries(objects).flatMap(([name, inner]) =>
      object[name] === undefined ? [] : faults(object[name], inner, `${at}.${name}`),
    ),
  ];
}

const ORIGIN = { hostname: 'web1', version: '0.1.0', nowMs: 1_767_323_045_000 };
const eventOf = (finding: ReturnType<typeof findingFrom>) => ocsfEvent(findingOf(finding), ORIGIN);

test('the rules notice what is wrong', () => {
  const event = eventOf(findingFrom());
  assert.equal(faults(event, DETECTION_FINDING), []);
  for (const wrong of [
    { ...event, class_uid: 2001 },
    { ...event, time: Number.NaN },
    { ...event, finding_info: { ...event.finding_info, uid: undefined } },
    { ...event, evidences: [{}] },
    { ...event, severity_id: 7 },
    { ...event, device: { type_id: 0 } },
  ])
    assert.is(faults(wrong, DETECTION_FINDING).length, 1, JSON.stringify(wrong));
});

test('every finding of any state is a Detection Finding', () => {
  let seen = 0;
  fc.assert(
    fc.property(anyState, (state) => {
      for (const finding of (state as ReturnType<typeof import('../support/state.ts').stateFrom>).judgement
        .findings) {
        const event = JSON.parse(JSON.stringify(eventOf(finding)));
        assert.equal(faults(event, DETECTION_FINDING), []);
        assert.is(event.type_uid, event.class_uid * 100 + event.activity_id);
        seen += 1;
      }
    }),
  );
  assert.ok(seen > 50, `only ${seen} findings`);
});

test('severity, subject and techniques are those of the finding', () => {
  const process = eventOf(findingFrom({ severity: 'critical' }));
  assert.is(process.severity_id, 5);
  assert.is(process.finding_info.uid, findingFrom().id);
  assert.equal(process.finding_info.attacks, [
    { version: '17', technique: { uid: 'T1055' }, sub_technique: { uid: 'T1055.008' } },
  ]);
  const [evidence] = process.evidences as unknown as [{ process: { pid: number }; data: Value }];
  assert.is(evidence.process.pid, 500);
  assert.equal(evidence.data, { tracer: 800 });
  const entry = eventOf(
    findingFrom({
      check: 'startup-entry',
      subject: { kind: 'file', path: '/etc/cron.d/x' },
      evidence: { techniques: 'T1053.003' },
    }),
  );
  assert.is(entry.finding_info.attacks?.[0]?.sub_technique?.uid, 'T1053.003');
  assert.is((entry.evidences[0] as unknown as { file: { name: string } }).file.name, 'x');
});

test('techniques are ids of ATT&CK; only hygiene and the state of the machine have none', () => {
  for (const { id, techniques } of CHECKS)
    for (const technique of techniques) assert.match(technique, /^T\d{4}(?:\.\d{3})?$/, id);
  assert.equal(
    CHECKS.filter(({ techniques }) => techniques.length === 0).map(({ id }) => id),
    ['fried-process', 'vital-sign', 'stale-runtime-file', 'orphan-helper'],
  );
});

test.run();
