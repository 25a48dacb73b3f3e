// Holds schema/detent.schema.json to the corpus: every good file and every mechanism is accepted, and every
// bad file gets the verdict that its first line announces ("schema: reject" or "schema: accept" for what
// only the C reader can see). Given the program as argument, the C reader's verdict is asked for as well.
// Packages: ajv and yaml, of Debian (node-ajv, node-yaml; found through NODE_PATH) or by npm ci in this
// folder. Exits with 77 where they are missing.

import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..');
const program = process.argv[2];
const require = createRequire(import.meta.url);

function loadPackages() {
  try {
    return { Ajv: require('ajv'), yaml: require('yaml') };
  } catch (error) {
    if (error.code !== 'MODULE_NOT_FOUND') throw error;
    console.log('skipped: the packages ajv and yaml are missing; install node-ajv and node-yaml, or run npm ci');
    process.exit(77);
  }
}

function listFiles(folder) {
  const path = join(root, folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .map((name) => join(path, name));
}

const { Ajv, yaml } = loadPackages();
const schema = JSON.parse(readFileSync(join(root, 'schema', 'detent.schema.json'), 'utf8'));
// strictNumbers, the default of ajv 8 only: NaN and infinity are no numbers.
const options = { allErrors: false, allowUnionTypes: true, strictRequired: false, strictNumbers: true };
const validate = new Ajv(options).compile(schema);

// The reason for a rejection, or null.
function schemaVerdict(text) {
  const documents = yaml.parseAllDocuments(text, { version: '1.2', schema: 'core', merge: false });
  if (documents.length !== 1) return 'not one document';
  if (documents[0].errors.length > 0) return `YAML: ${documents[0].errors[0].message}`;
  let data;
  try {
    data = documents[0].toJS();
  } catch (error) {
    return `YAML: ${error.message}`;
  }
  if (validate(data)) return null;
  const { instancePath, dataPath, message } = validate.errors[0]; // dataPath: ajv 6
  return `${instancePath || dataPath || '/'} ${message}`;
}

function readerAccepts(path) {
  try {
    execFileSync(program, ['check', path], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

let failures = 0;
function complain(path, text) {
  console.log(`${path}: ${text}`);
  failures += 1;
}

function check(path, expected, accepted) {
  const reason = schemaVerdict(readFileSync(path, 'utf8'));
  const verdict = reason === null ? 'accept' : 'reject';
  if (verdict !== expected) complain(path, `the schema says ${verdict}, not ${expected} (${reason})`);
  if (program && readerAccepts(path) !== accepted) {
    complain(path, `the reader says ${accepted ? 'reject' : 'accept'}`);
  }
}

const good = [...listFiles('tests/corpus/good'), ...listFiles('mechanisms')];
const bad = listFiles('tests/corpus/bad');
for (const path of good) check(path, 'accept', true);
for (const path of bad) {
  const [first] = readFileSync(path, 'utf8').split('\n', 1);
  const announced = /\| schema: (accept|reject)$/.exec(first);
  if (announced) check(path, announced[1], false);
  else complain(path, 'its first line announces no verdict');
}
console.log(`${good.length} good files, ${bad.length} bad files, ${failures} failures`);
process.exit(failures > 0 ? 1 : 0);
