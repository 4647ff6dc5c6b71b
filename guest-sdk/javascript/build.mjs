// Makes a component of a choreography in JavaScript or TypeScript: `node sdk/build.mjs PROJECT WORLD OUT`.
// `dcm-run build` calls it, by `language.toml`. The component is the engine, which is the same for all choreographies of a
// world, and the text, a custom section behind it: a robot compiles an engine once, and a text never.
// The law: the same sources give the same bytes.

import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SDK = dirname(fileURLToPath(import.meta.url));
/** Versions that go together; the engine knows QuickJS's functions by the short names that they have in this build. */
const PACKAGES = { '@jitl/quickjs-ng-wasmfile-release-sync': '0.32.0', esbuild: '0.28.2' };
const TYPESCRIPT = { typescript: '7.0.2' };
const QUICKJS = '@jitl/quickjs-ng-wasmfile-release-sync';
const QUICKJS_SHA256 = 'b56fe5094b8751c47b8c32fb5ed4d75afe2dbb43412d3d983ac5d1156af456da';
const HOOKS = { motion: ['start', 'preProcess', 'postProcess', 'isAlive', 'stop'], score: ['run'] };

function fail(why) {
  console.error(`error: ${why}`);
  process.exit(1);
}

/** The packages that a build needs. They are installed once on a machine, for all projects. */
function packages(typescript) {
  const wanted = { ...PACKAGES, ...(typescript ? TYPESCRIPT : {}) };
  const key = Object.entries(wanted).map((it) => it.join('@')).join(' ');
  const name = `javascript-${createHash('sha256').update(key).digest('hex').slice(0, 16)}`;
  const caches = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'dcm-run');
  const folder = join(caches, name);
  if (!existsSync(folder)) install(wanted, key, caches, folder);
  const find = createRequire(join(folder, 'package.json'));
  const file = find.resolve(`${QUICKJS}/wasm`);
  const quickjs = readFileSync(file);
  if (createHash('sha256').update(quickjs).digest('hex') !== QUICKJS_SHA256) {
    fail(`${file} is not the one that the engine was made for; fix: rm -r ${folder}`);
  }
  return { esbuild: find('esbuild'), quickjs, tsc: join(folder, 'node_modules', '.bin', 'tsc') };
}

function install(wanted, key, caches, folder) {
  console.error(`installing ${key} into ${folder}: once for all projects`);
  mkdirSync(caches, { recursive: true });
  const draft = mkdtempSync(join(caches, 'draft-'));
  try {
    writeFileSync(join(draft, 'package.json'), JSON.stringify({ private: true, dependencies: wanted }));
    const words = ['install', '--no-audit', '--no-fund', '--loglevel=error'];
    const npm = spawnSync('npm', words, { cwd: draft, stdio: ['ignore', 2, 2] });
    if (npm.status !== 0) fail('`npm install` failed; fix: see above, or install npm');
    // In one step: another build may look for it at the same time.
    if (!existsSync(folder)) renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** Says what TypeScript finds; esbuild drops types unseen. */
function checkTypes(tsc, project) {
  if (!existsSync(join(project, 'tsconfig.json'))) return;
  const done = spawnSync(tsc, ['--noEmit', '--project', project], { cwd: project, encoding: 'utf8' });
  if (done.status !== 0) fail(`the types do not fit:\n${(done.stdout + done.stderr).trim()}`);
}

/** The main module: `main` in package.json, else `src/main.js` or `src/main.ts`. */
function main(project) {
  const file = join(project, 'package.json');
  const told = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).main : undefined;
  const names = told ? [told] : ['src/main.js', 'src/main.ts'];
  const found = names.map((it) => join(project, it)).find((it) => existsSync(it));
  return found ?? fail(`${project} has no ${names.join(' or ')}; fix: write one, or name it as "main" in package.json`);
}

/** All modules as one script. */
function bundle(esbuild, project, entry, world) {
  // The traces first: they tell an error at the top of a module.
  const contents = `import { guarded, install } from ${JSON.stringify(join(SDK, 'trace.js'))};
import * as hooks from ${JSON.stringify(entry)};
install(guarded(hooks));`;
  const shared = { absWorkingDir: project, bundle: true, write: false, logLevel: 'silent', metafile: true };
  const alias = { choreography: join(SDK, 'choreography.js') };
  let built, exports;
  try {
    built = esbuild.buildSync({
      ...shared,
      alias,
      stdin: { contents, resolveDir: project, sourcefile: 'entry' },
      format: 'iife',
      target: 'es2022',
      charset: 'utf8',
      sourcemap: 'external',
      outfile: 'script.js',
    });
    const { outputs } = esbuild.buildSync({ ...shared, alias, entryPoints: [entry], format: 'esm', outfile: 'x.js' }).metafile;
    exports = Object.values(outputs)[0].exports;
    check(exports, relative(project, entry), world);
  } catch (error) {
    const each = (error.errors ?? []).map(({ location: at, text }) =>
      at ? `${at.file}:${at.line}:${at.column + 1}: ${text}\n    ${at.lineText.trim()}` : text);
    fail(each.length > 0 ? each.join('\n') : error.message);
  }
  const file = (end) => built.outputFiles.find((it) => it.path.endsWith(end)).text;
  return { text: script(file('script.js'), JSON.parse(file('.map'))), exports };
}

/** The manifest: the hooks to call. The engine exports all of its world, and begins in the first. */
function manifest(exports, world) {
  const hooks = HOOKS[world].filter((it, place) => place === 0 || exports.includes(it));
  return `hooks = ${JSON.stringify(hooks.map((it) => it.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)))}\n`;
}

/** Says which exports are no hooks although they look like some. */
function check(exports, entry, world) {
  const known = HOOKS[world];
  const plain = (it) => it.replace(/[-_]/g, '').toLowerCase();
  for (const it of exports) {
    const near = [...HOOKS.motion, ...HOOKS.score].find((hook) => plain(hook) === plain(it));
    if (near && near !== it) fail(`${entry} exports \`${it}\`; fix: the hook is called \`${near}\``);
    if (near && !known.includes(near)) {
      fail(`${entry} exports \`${it}\`, but a ${world} has ${known.join(', ')}; fix: rename it, or change \`world\` in choreography.toml`);
    }
  }
  if (!exports.some((it) => known.includes(it))) {
    fail(`${entry} exports none of ${known.join(', ')}: nobody would call it; fix: \`export function ${known.at(-1) === 'run' ? 'run' : 'preProcess'}() { … }\``);
  }
}

/** The script: first where its lines come from, for traces; then the modules; an error in them ends the guest. */
function script(text, map) {
  const places = origins(map);
  const head = `globalThis.origins = ${JSON.stringify({ files: map.sources, places })};try {\n`;
  return `${head}${text}} catch (error) { dcm.failed ? dcm.failed(error) : (() => { throw error; })(); }\n`;
}

/** For every line of the script the file and line that it comes from: `"0,12"`, or an empty text. */
function origins(map) {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  let [file, line] = [0, 0];
  const each = map.mappings.split(';').map((text) => {
    let first = '';
    for (const part of text.split(',').filter(Boolean)) {
      const numbers = [];
      let [value, shift] = [0, 0];
      for (const letter of part) {
        const digit = digits.indexOf(letter);
        value |= (digit & 31) << shift;
        shift += 5;
        if (digit & 32) continue;
        numbers.push(value & 1 ? -(value >> 1) : value >> 1);
        [value, shift] = [0, 0];
      }
      file += numbers[1] ?? 0;
      line += numbers[2] ?? 0;
      first ||= `${file},${line + 1}`;
    }
    return first;
  });
  return each.join(';');
}

const leb = (number) => {
  const bytes = [];
  for (; number > 127; number >>>= 7) bytes.push((number & 127) | 128);
  return [...bytes, number];
};
const name = (text) => [...leb(Buffer.byteLength(text)), ...Buffer.from(text)];
const section = (id, ...parts) => {
  const body = Buffer.concat(parts.map((it) => Buffer.from(it)));
  return Buffer.concat([Buffer.from([id, ...leb(body.length)]), body]);
};

/** The sections of a component or module. */
function* sections(bytes) {
  for (let place = 8; place < bytes.length; ) {
    const id = bytes[place];
    let [length, at, shift] = [0, place + 1, 0];
    do {
      length |= (bytes[at] & 127) << shift;
      shift += 7;
    } while (bytes[at++] > 127);
    yield { id, at, body: bytes.subarray(at, at + length) };
    place = at + length;
  }
}

/** The engine's component: behind that of `WORLD.wat` QuickJS, which imports its memory and functions, and `link.wat`. */
function engine(world, quickjs) {
  const frame = readFileSync(join(SDK, 'engine', `${world}.bin`));
  const all = [...sections(frame)];
  const count = (id) => all.filter((it) => it.id === id);
  const modules = count(1).length;
  const instances = count(2).reduce((sum, it) => sum + it.body[0], 0);
  // The instance that is asked for its memory is the engine's: `alias core export N "memory"`.
  const alias = count(6).find((it) => it.body.includes('\x06memory'));
  const own = alias.body[alias.body.indexOf('\x06memory') - 1];
  const with_ = (as, instance) => [...name(as), 0x12, ...leb(instance)];
  return Buffer.concat([
    frame,
    section(1, smaller(quickjs)),
    section(1, readFileSync(join(SDK, 'engine', 'link.bin'))),
    section(2, [
      ...[2, 0, ...leb(modules), 1, ...with_('a', own)],
      ...[0, ...leb(modules + 1), 2, ...with_('engine', own), ...with_('quickjs', instances)],
    ]),
  ]);
}

/** QuickJS asks for 16 MiB at the start, all that a guest may have; 7 are enough for its stack and a heap. */
function smaller(quickjs) {
  const bytes = Buffer.from(quickjs);
  const memory = Buffer.from([1, 0x61, 1, 0x61, 2, 1, 0x80, 2]);
  const imports = [...sections(bytes)].find((it) => it.id === 2);
  const place = imports.at + imports.body.indexOf(memory);
  bytes[place + 6] = 0x80 | 112;
  bytes[place + 7] = 0;
  return bytes;
}

const [, , folder, world, out] = process.argv;
if (!out || !(world in HOOKS)) fail('usage: node build.mjs PROJECT motion|score OUT.wasm');
const project = resolve(folder);
const entry = main(project);
const { esbuild, quickjs, tsc } = packages(entry.endsWith('.ts'));
if (entry.endsWith('.ts')) checkTypes(tsc, project);
const { text, exports } = bundle(esbuild, project, entry, world);
const custom = [['dcm:manifest', manifest(exports, world)], ['dcm:script', text]];
const behind = custom.map(([it, of]) => section(0, name(it), Buffer.from(of)));
writeFileSync(resolve(out), Buffer.concat([engine(world, quickjs), ...behind]));
