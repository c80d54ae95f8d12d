"use strict";
// The data of the page: texts, rows of a difference, selections, names. No document.

const CONTEXT = 3;

/** The texts of the page: arrays of lines {text, string, operation, location, named}. */
function decodeTexts(data) {
  const texts = [];
  let last = [];
  for (const edits of data.texts) {
    const lines = [];
    let at = 0;
    for (const [begin, end, strings, operations, locations, named] of edits) {
      for (; at < begin; at++) lines.push(last[at]);
      for (let i = 0; i < strings.length; i++) {
        const string = strings[i];
        lines.push({
          text: data.strings[string], string, operation: operations[i], location: locations[i], named: named[i],
        });
      }
      at = end;
    }
    for (; at < last.length; at++) lines.push(last[at]);
    texts.push(lines);
    last = lines;
  }
  return texts;
}

/** Lines of device code: {text, operation, location, named}. */
function decodeCode(data, [strings, locations]) {
  return strings.map((string, i) => ({ text: data.strings[string], operation: -1, location: locations[i], named: [] }));
}

/** The line of a source that a side of a report names; empty where it is not in the page. */
function sourceText(data, side) {
  return (data.sources[side.file] || "").split("\n")[side.line - 1] || "";
}

/** The lines of the sources, each with its place, and what the sanitizer reports there:
 *  {text, file, line, named, notes}. A note is {words, others}: the other sides of the report. */
function sourceLines(data) {
  const lines = [];
  const notes = new Map();
  for (const finding of (data.run && data.run.findings) || []) {
    for (const side of finding.sides) {
      const key = `${side.file}:${side.line}`;
      const others = finding.sides.filter((other) => other !== side && other.file);
      notes.set(key, [...(notes.get(key) || []), { words: `${finding.kind}: ${side.did}`, others }]);
    }
  }
  for (const [file, text] of Object.entries(data.sources)) {
    text.split("\n").forEach((line, i) => {
      lines.push({ text: line, file, line: i + 1, named: [], notes: notes.get(`${file}:${i + 1}`) || [] });
    });
  }
  return lines;
}

/** The strategies of kernels on the host device, by where a kernel is in the source and by its
 *  symbol: Map from `file:line` and from `@module::@kernel` to arrays. */
function strategiesOf(data) {
  const found = new Map();
  const add = (key, strategy) => found.set(key, [...(found.get(key) || []), strategy]);
  for (const strategy of (data.run && data.run.strategies) || []) {
    const place = /^(.+):(\d+):\d+$/.exec(strategy.location);
    if (place !== null) add(`${place[1]}:${place[2]}`, strategy);
    if (strategy.module) add(`@${strategy.module}::@${strategy.kernel}`, strategy);
  }
  return found;
}

const KERNEL = /\b(gpu\.func|gpu\.launch|llvm\.func|gpu\.launch_func)\b/;
const LAUNCHED = /@[\w.$-]+::@[\w.$-]+/;

/** The strategies of the kernel that a line is or launches. */
function strategiesAt(data, strategies, line) {
  const operation = strategies.size === 0 ? null : KERNEL.exec(line.text);
  if (operation === null) return [];
  const symbol = LAUNCHED.exec(line.text);
  if (operation[1] === "gpu.launch_func") return (symbol !== null && strategies.get(symbol[0])) || [];
  const place = placeOf(data, line);
  return (place !== null && strategies.get(`${place.file}:${place.line}`)) || [];
}

/** The rows of a step: {kind, before, after}, where before and after are indices of lines or -1. */
function rowsOf(changes) {
  const rows = [];
  let removed = [];
  let added = [];
  const flush = () => {
    for (let i = 0; i < Math.max(removed.length, added.length); i++) {
      const before = i < removed.length ? removed[i] : -1;
      const after = i < added.length ? added[i] : -1;
      rows.push({ kind: before < 0 ? "added" : after < 0 ? "removed" : "changed", before, after });
    }
    removed = [];
    added = [];
  };
  for (const [kind, begin, end, newBegin, newEnd] of changes) {
    if (kind === "removed") {
      for (let i = begin; i < end; i++) removed.push(i);
    } else if (kind === "added") {
      for (let i = newBegin; i < newEnd; i++) added.push(i);
    } else {
      flush();
      for (let i = 0; i < end - begin; i++) rows.push({ kind, before: begin + i, after: newBegin + i });
    }
  }
  flush();
  return rows;
}

/** The rows with those that are far from a row that `isShown` as {kind: "fold", rows}. */
function foldRows(rows, isShown) {
  const shown = new Uint8Array(rows.length);
  rows.forEach((row, i) => {
    if (row.kind === "equal" && !isShown(row)) return;
    shown.fill(1, Math.max(0, i - CONTEXT), Math.min(rows.length, i + CONTEXT + 1));
  });
  const items = [];
  for (let i = 0; i < rows.length; ) {
    let end = i;
    while (end < rows.length && !shown[end]) end++;
    if (end - i > 1) {
      items.push({ kind: "fold", rows: rows.slice(i, end) });
      i = end;
    } else {
      items.push(rows[i++]);
    }
  }
  return items;
}

/** How a line belongs to a selection {operation, file, line}: "selected", "related" or "". */
function relation(data, line, selection) {
  if (selection === null) return "";
  if (selection.operation >= 0 && line.operation === selection.operation) return "selected";
  if (selection.file === null) return "";
  const place = placeOf(data, line);
  if (place === null || place.file !== selection.file || place.line !== selection.line) return "";
  return line.operation === undefined ? "selected" : "related";
}

/** The place of a line in the source: {file, line, column}, or null. */
function placeOf(data, line) {
  if (line.file !== undefined) return { file: line.file, line: line.line, column: 0 };
  if (line.location < 0) return null;
  const [file, number, column] = data.locations[line.location];
  return { file: data.files[file], line: number, column };
}

/** What is selected with a line. */
function selectionOf(data, line) {
  const place = placeOf(data, line);
  const operation = line.operation === undefined ? -1 : line.operation;
  if (place === null && operation < 0) return null;
  return { operation, file: place && place.file, line: place && place.line };
}

const TOKEN = /("(?:[^"\\]|\\.)*")|(\/\/.*$)|(%[\w.$-]+(?:#\d+)?|\^bb\d+)|(@[\w.$-]+|@"(?:[^"\\]|\\.)*")|([!#][A-Za-z][\w.$]*)/g;
const KINDS = ["string", "comment", "name", "symbol", "type"];

/** The parts of a line: [kind, text], where kind is "" for what is nothing special. */
function tokensOf(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > at) parts.push(["", text.slice(at, match.index)]);
    parts.push([KINDS[match.slice(1).findIndex((group) => group !== undefined)], match[0]]);
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push(["", text.slice(at)]);
  return parts;
}

/** The names in a line, as `tokensOf` finds them: {value, isDefinition} for each; value 0 is none. */
function namesOf(line) {
  return line.named.map((number) => (number < 0 ? { value: ~number, isDefinition: true } : { value: number, isDefinition: false }));
}

/** The middle parts in which two lines differ: [begin, end, newBegin, newEnd]. */
function differentPart(before, after) {
  let begin = 0;
  while (begin < before.length && begin < after.length && before[begin] === after[begin]) begin++;
  let end = before.length;
  let newEnd = after.length;
  while (end > begin && newEnd > begin && before[end - 1] === after[newEnd - 1]) { end--; newEnd--; }
  return [begin, end, begin, newEnd];
}

/** Whether one of the changed lines of a step belongs to the selection. */
function touches(data, texts, step, selection) {
  if (selection === null) return false;
  for (const [kind, begin, end, newBegin, newEnd] of step.changes) {
    if (kind === "equal") continue;
    for (let i = begin; i < end; i++) if (relation(data, texts[step.before][i], selection)) return true;
    for (let i = newBegin; i < newEnd; i++) if (relation(data, texts[step.after][i], selection)) return true;
  }
  return false;
}

if (typeof module !== "undefined") {
  module.exports = {
    decodeTexts, decodeCode, sourceText, sourceLines, rowsOf, foldRows, relation, selectionOf, tokensOf, namesOf,
    differentPart, touches, strategiesOf, strategiesAt,
  };
}
