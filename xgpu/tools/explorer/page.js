"use strict";
// The page: a list of passes, the text before and after one of them, and the panels beside.

(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const texts = decodeTexts(data);
  const strategies = strategiesOf(data);
  const CHUNK = 400;

  function element(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value !== null && value !== false) made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children);
    return made;
  }

  function seconds(time) {
    return time >= 1 ? `${time.toFixed(2)} s` : `${(time * 1000).toFixed(time >= 0.01 ? 0 : 2)} ms`;
  }

  function count(number, what) {
    return `${number} ${what}${number === 1 ? "" : "s"}`;
  }

  // -- Lines

  const state = { step: -1, selection: null, value: 0, query: "" };
  const views = [];

  /** The text of a line as elements; a range of it may be marked. */
  function content(line, part) {
    const code = element("code", {});
    const names = namesOf(line);
    let name = 0;
    let at = 0;
    for (const [kind, text] of tokensOf(line.text)) {
      const inside = part !== null && at < part[1] && at + text.length > part[0];
      at += text.length;
      const piece = inside ? element("mark", {}, text) : kind === "" ? text : element("span", {}, text);
      if (kind !== "") piece.classList.add(kind);
      if (kind === "name" && name < names.length) {
        const { value, isDefinition } = names[name++];
        if (value !== 0) piece.dataset.value = value;
        if (isDefinition) piece.dataset.definition = "";
      }
      code.append(piece);
    }
    return code;
  }

  /** One line; `part` is the range that differs. */
  function lineElement(line, number, side, part) {
    const made = element("div", { class: `line ${side}`, role: side === "" ? "option" : "gridcell" }, element("i", {}, String(number)), content(line, part));
    const kernels = strategiesAt(data, strategies, line);
    if (kernels.length) {
      made.title = kernels.map((kernel) => kernel.words).join("\n");
      if (side === "") made.append(element("small", { class: "strategy" }, [...new Set(kernels.map((kernel) => kernel.strategy))].join(", ")));
    }
    const notes = (line.notes || []).map((note) => {
      const others = note.others.map((other) => element("button", {
        type: "button", class: "place", title: `${other.did} at ${sidePlace(other)}`,
        onclick: (event) => { event.stopPropagation(); selectPlace(other.file, other.line); },
      }, `line ${other.line}`));
      return element("strong", { class: "note" }, note.words, ...others.flatMap((other) => [" \u2194\u00a0", other]));
    });
    if (notes.length) made.append(element("span", { class: "notes" }, ...notes));
    made.line = line;
    return made;
  }

  /** Shows items one after the other, as many as are looked at. */
  class View {
    constructor(container, elementOf) {
      this.container = container;
      this.elementOf = elementOf;
      this.items = [];
      this.shown = 0;
      this.active = null;
      container.addEventListener("scroll", () => {
        if (container.scrollTop + 2 * container.clientHeight > container.scrollHeight) this.showMore(this.shown + CHUNK);
      });
      container.addEventListener("click", (event) => this.clicked(event));
      container.addEventListener("keydown", (event) => this.pressed(event));
      views.push(this);
    }

    fill(items) {
      this.items = items;
      this.shown = 0;
      this.active = null;
      this.container.replaceChildren();
      this.container.removeAttribute("aria-activedescendant");
      this.container.scrollTop = 0;
      this.showMore(CHUNK);
    }

    showMore(end) {
      if (this.shown >= this.items.length) return;
      const stop = Math.min(end, this.items.length);
      const added = [];
      for (; this.shown < stop; this.shown++) added.push(this.elementOf(this.items[this.shown], this.shown));
      this.container.append(...added);
      for (const made of added) mark(made);
    }

    /** The element of an item, scrolled to. */
    reveal(index) {
      this.showMore(index + CHUNK);
      const found = this.container.children[index];
      if (found !== undefined) found.scrollIntoView({ block: "center" });
      return found;
    }

    clicked(event) {
      const line = event.target.closest(".line");
      if (line === null || line.line === undefined) return;
      state.value = Number(event.target.dataset.value || 0);
      this.activate(line, false);
      select(selectionOf(data, line.line), this);
    }

    activate(line, scroll) {
      if (this.active !== null) {
        this.active.classList.remove("active");
        this.active.removeAttribute("id");
      }
      this.active = line;
      line.classList.add("active");
      line.id = `active-${views.indexOf(this)}`;
      this.container.setAttribute("aria-activedescendant", line.id);
      if (scroll) line.scrollIntoView({ block: "nearest" });
    }

    pressed(event) {
      const lines = () => [...this.container.querySelectorAll(".line:not(.empty)")];
      const go = (index, all) => {
        this.activate(all[Math.max(0, Math.min(index, all.length - 1))], true);
        event.preventDefault();
      };
      const all = lines();
      if (all.length === 0) return;
      const at = this.active === null ? -1 : all.indexOf(this.active);
      if (event.target.classList.contains("fold")) return;
      if (event.key === "ArrowDown") {
        if (at + 1 >= all.length) this.showMore(this.shown + CHUNK);
        go(at + 1, lines());
      } else if (event.key === "ArrowUp") go(at - 1, all);
      else if (event.key === "Home") go(0, all);
      else if (event.key === "End") { this.showMore(this.items.length); const whole = lines(); go(whole.length - 1, whole); }
      else if ((event.key === "Enter" || event.key === " ") && this.active !== null) {
        state.value = 0;
        select(selectionOf(data, this.active.line), this);
        event.preventDefault();
      }
    }
  }

  /** Marks an element's lines as selected, related and found, and names of the chosen value. */
  function mark(root) {
    const lines = root.classList.contains("line") ? [root] : root.querySelectorAll(".line");
    for (const line of lines) {
      if (line.line === undefined) continue;
      const how = relation(data, line.line, state.selection);
      line.setAttribute("aria-selected", String(how !== ""));
      line.classList.toggle("selected", how === "selected");
      line.classList.toggle("related", how === "related");
      line.classList.toggle("found", state.query !== "" && line.line.text.toLowerCase().includes(state.query));
      for (const name of line.querySelectorAll("[data-value]")) {
        const isUsed = state.value !== 0 && Number(name.dataset.value) === state.value;
        name.classList.toggle("used", isUsed);
        name.classList.toggle("defined", isUsed && name.dataset.definition !== undefined);
      }
    }
  }

  // -- The passes

  const rail = document.getElementById("rail");
  const rowsView = new View(document.getElementById("rows"), rowElement);
  const stepRows = data.steps.map(() => null);

  function lineOf(row, side) {
    const step = data.steps[state.step];
    const text = texts[step === undefined ? data.final : step[side]];
    return row[side] < 0 ? null : text[row[side]];
  }

  function rowElement(row, index) {
    if (row.kind === "fold") {
      const words = count(row.rows.length, "unchanged line");
      const button = element("button", { class: "fold", type: "button", onclick: (event) => unfold(row, event.target.closest("[role=row]")) }, `\u22ef ${words}`);
      return element("div", { role: "row" }, element("div", { role: "gridcell" }, button));
    }
    const before = lineOf(row, "before");
    const after = lineOf(row, "after");
    const made = element("div", { class: `row ${row.kind}`, role: "row" });
    const part = before !== null && after !== null && row.kind === "changed" ? differentPart(before.text, after.text) : null;
    for (const [side, line, range] of [["before", before, part && part.slice(0, 2)], ["after", after, part && part.slice(2)]]) {
      made.append(line === null ? element("div", { class: "line empty", role: "gridcell" }) : lineElement(line, row[side] + 1, side, range));
    }
    if (row.kind !== "equal") made.prepend(element("span", { class: "spoken", role: "rowheader" }, row.kind));
    return made;
  }

  function unfold(row, folded) {
    const index = [...rowsView.container.children].indexOf(folded);
    const items = [...rowsView.items];
    items.splice(index, 1, ...row.rows);
    const top = rowsView.container.scrollTop;
    rowsView.fill(items);
    rowsView.showMore(index + CHUNK);
    rowsView.container.scrollTop = top;
    rowsView.container.focus();
  }

  function rowsOfStep(number) {
    if (number < 0) return texts[data.final] === undefined ? [] : texts[data.final].map((_, i) => ({ kind: "equal", before: i, after: i }));
    if (stepRows[number] === null) stepRows[number] = rowsOf(data.steps[number].changes);
    return stepRows[number];
  }

  function showStep(number, keep) {
    state.step = number;
    const step = data.steps[number];
    for (const item of rail.children) item.setAttribute("aria-selected", String(Number(item.dataset.step) === number));
    const chosen = rail.children[Math.max(number, 0)];
    if (chosen !== undefined) {
      rail.setAttribute("aria-activedescendant", chosen.id);
      chosen.scrollIntoView({ block: "nearest" });
    }
    const title = document.getElementById("pass");
    if (step === undefined) title.textContent = "No pass has changed anything";
    else title.textContent = `${step.name}${step.options ? `{${step.options}}` : ""} on ${step.scope}${step.failed ? " (failed)" : ""}`;
    const rows = rowsOfStep(number);
    const isShown = (row) => {
      for (const side of ["before", "after"]) {
        const line = lineOf(row, side);
        if (line === null) continue;
        if (relation(data, line, state.selection) !== "") return true;
        if (state.query !== "" && line.text.toLowerCase().includes(state.query)) return true;
      }
      return false;
    };
    rowsView.fill(step === undefined ? rows : foldRows(rows, isShown));
    if (keep !== true && state.selection !== null) revealSelection(rowsView);
  }

  function revealSelection(view) {
    const linesOf = (item) => (item.kind === undefined ? [item] : item.kind === "fold" ? [] : ["before", "after"].map((side) => lineOf(item, side)));
    for (const wanted of ["selected", "related"]) {
      const index = view.items.findIndex((item) => linesOf(item).some((line) => line !== null && relation(data, line, state.selection) === wanted));
      if (index >= 0) {
        view.reveal(index);
        return;
      }
    }
  }

  function nextChange(direction) {
    const items = rowsView.items;
    const rows = [...rowsView.container.children];
    const active = rowsView.active;
    let at = active === null ? -1 : rows.indexOf(active.closest(".row"));
    const isStart = (i) => items[i].kind !== "equal" && items[i].kind !== "fold" && (i === 0 || items[i - 1].kind === "equal" || items[i - 1].kind === "fold");
    for (at += direction; at >= 0 && at < items.length; at += direction) {
      if (!isStart(at)) continue;
      const row = rowsView.reveal(at);
      rowsView.activate(row.querySelector(".line:not(.empty)"), false);
      return;
    }
  }

  function fillRail() {
    data.steps.forEach((step, number) => {
      const facts = `${seconds(step.seconds)}  +${step.added} \u2212${step.removed}`;
      const item = element(
        "li",
        { role: "option", id: `step-${number}`, "data-step": number, "aria-selected": "false", onclick: () => showStep(number) },
        step.name, element("br"),
        element("small", {}, `${step.scope === "builtin.module" ? "" : `${step.scope}, `}${facts}`),
      );
      if (step.failed) item.append(" ", element("span", { class: "failed" }, "failed"));
      rail.append(item);
    });
    document.getElementById("unchanged").textContent = `${count(data.unchanged, "pass").replace("passs", "passes")} changed nothing (${seconds(data.unchanged_seconds)}).`;
    rail.addEventListener("keydown", (event) => {
      const last = data.steps.length - 1;
      const to = { ArrowDown: state.step + 1, ArrowUp: state.step - 1, Home: 0, End: last }[event.key];
      if (to === undefined || last < 0) return;
      event.preventDefault();
      showStep(Math.max(0, Math.min(to, last)));
    });
  }

  // -- Selection

  function select(selection, from) {
    state.selection = selection;
    for (const item of rail.children) {
      const isTouched = touches(data, texts, data.steps[Number(item.dataset.step)], selection);
      item.classList.toggle("touches", isTouched);
      item.title = isTouched ? "changes what is selected" : "";
    }
    for (const view of views) {
      for (const made of view.container.children) mark(made);
      if (view === from || selection === null || view.container.closest("[hidden]") !== null) continue;
      if (view === rowsView) showStep(state.step); // with what was folded
      else revealSelection(view);
    }
    const place = selection === null || selection.file === null ? "no location" : `${selection.file}:${selection.line}`;
    const passes = selection === null ? 0 : rail.querySelectorAll(".touches").length;
    const kernels = (selection !== null && strategies.get(place)) || [];
    const words = selection === null
      ? "Select a line to follow its operation."
      : [`${place}, changed by ${count(passes, "pass").replace("passs", "passes")} of the list`, ...kernels.map((kernel) => kernel.words)].join("; ");
    document.getElementById("selection").textContent = words;
  }

  function selectPlace(file, line) {
    state.value = 0;
    select({ operation: -1, file, line }, null);
    openPanel("source");
  }

  /** `file:line:column` as something to click on; any other text as it is. */
  function placeElement(location) {
    const match = /^(.+?):(\d+)(?::\d+)?$/.exec(location || "");
    if (match === null) return location || "";
    return element("button", { class: "place", type: "button", onclick: () => selectPlace(match[1], Number(match[2])) }, location);
  }

  // -- Panels

  const panels = {};

  function addPanel(name, title, panel) {
    const tabs = document.getElementById("tabs");
    panel.id = `panel-${name}`;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${name}`);
    const tab = element("button", {
      id: `tab-${name}`, type: "button", role: "tab", "aria-controls": panel.id, onclick: () => openPanel(name),
    }, title);
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (step === undefined) return;
      const names = Object.keys(panels);
      const other = names[(names.indexOf(name) + step + names.length) % names.length];
      openPanel(other);
      panels[other].tab.focus();
    });
    tabs.append(tab);
    document.getElementById("panels").append(panel);
    panels[name] = { tab, panel };
  }

  function openPanel(name) {
    for (const [other, { tab, panel }] of Object.entries(panels)) {
      tab.setAttribute("aria-selected", String(other === name));
      tab.tabIndex = other === name ? 0 : -1;
      panel.hidden = other !== name;
    }
    const view = panels[name].panel.view;
    if (view !== undefined && state.selection !== null) revealSelection(view);
  }

  function codePanel(name, title, lines) {
    const code = element("div", { class: "code", tabindex: "0", role: "listbox", "aria-label": title });
    const panel = element("div", {}, code);
    panel.view = new View(code, (line, index) => lineElement(line, line.line || index + 1, "", null));
    addPanel(name, title, panel);
    panel.view.fill(lines);
  }

  /** A picture that can be made larger; `label` says what it is. */
  function picture(svg, label) {
    const read = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const width = Number(read.getAttribute("width"));
    const height = Number(read.getAttribute("height"));
    if (!read.hasAttribute("viewBox")) read.setAttribute("viewBox", `0 0 ${width} ${height}`);
    read.setAttribute("role", "img");
    read.setAttribute("aria-label", label);
    const frame = element("div", { class: "picture", tabindex: "0", role: "group", "aria-label": label }, document.importNode(read, true));
    let scale = 1;
    const zoom = (factor) => {
      scale *= factor;
      frame.firstChild.setAttribute("width", String(width * scale));
      frame.firstChild.setAttribute("height", String(height * scale));
    };
    const button = (words, factor) => element("button", { type: "button", onclick: () => zoom(factor) }, words);
    const fit = () => zoom((frame.clientWidth - 2) / (width * scale));
    // Twice: the first may remove a scroll bar.
    const whole = element("button", { type: "button", onclick: () => { fit(); fit(); } }, "Whole");
    return [element("p", {}, button("Larger", 1.5), " ", button("Smaller", 1 / 1.5), " ", whole), frame];
  }

  function table(head, rows) {
    return element("table", {},
      element("thead", {}, element("tr", {}, ...head.map((cell) => element("th", { scope: "col" }, cell)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))));
  }

  function addPanels() {
    const sources = sourceLines(data);
    codePanel("source", "Source", sources);
    for (const [kind, title] of [["llvm", "LLVM IR"], ["ptx", "PTX"], ["sass", "SASS"]]) {
      const lines = data.device_code.flatMap((code) => decodeCode(data, code[kind]));
      if (lines.length) codePanel(kind, title, lines);
    }
    if (data.device_code.length) addPanel("kernels", "Kernels", kernelsPanel());
    if (data.tokens !== null) {
      const tokens = data.tokens;
      addPanel("tokens", "Tokens", element("div", {}, element("div", { class: "facts" },
        ...picture(tokens.picture, "Token graph"), element("h3", {}, "What waits for what"), element("pre", {}, tokens.text),
        element("h3", {}, "What may overlap"), element("pre", {}, tokens.overlap))));
    }
    if (data.run !== null) {
      addPanel("run", "Run", runPanel(data.run));
      if (data.run.findings !== null) addPanel("findings", `Sanitizer (${data.run.findings.length})`, findingsPanel(data.run.findings));
    }
    openPanel("source");
  }

  function kernelsPanel() {
    const facts = element("div", { class: "facts" });
    const known = (number) => (number === null ? "?" : String(number));
    const kernels = data.device_code.flatMap((code) => code.kernels.map((kernel) => ({ code, ...kernel })));
    const threads = kernels.length ? kernels[0].occupancy.map(([number]) => String(number)) : [];
    const named = ({ code, name }) => element("span", {}, name, element("br"), element("small", {}, `${code.module}, ${code.target}`));
    if (kernels.length) {
      facts.append(element("h3", {}, "Registers and memory"), table(["kernel", "registers", "spilled bytes", "shared bytes"],
        kernels.map((kernel) => [named(kernel), known(kernel.registers), known(kernel.spilled), String(kernel.shared)])));
      facts.append(element("h3", {}, "Occupancy by threads of a block"), table(["kernel", ...threads],
        kernels.map((kernel) => [named(kernel), ...kernel.occupancy.map(([, part]) => `${Math.round(part * 100)}\u00a0%`)])));
    }
    if (kernels.some((kernel) => kernel.registers === null)) {
      facts.append(element("p", {}, "Registers are known where ptxas is installed; without them, occupancy is what threads and shared memory allow."));
    }
    for (const code of data.device_code) if (code.problem) facts.append(element("h3", {}, `${code.module} for ${code.target}`), element("pre", {}, code.problem));
    return element("div", {}, facts);
  }

  function runPanel(run) {
    const facts = element("div", { class: "facts" });
    if (run.picture) {
      const [buttons, frame] = picture(run.picture, "Timeline");
      frame.id = "timeline";
      frame.addEventListener("click", (event) => {
        const bar = event.target.closest("[data-event]");
        selectEvent(bar === null ? null : Number(bar.dataset.event));
      });
      facts.append(element("h3", {}, "What ran when"), buttons, frame, element("p", { id: "event", "aria-live": "polite" }, "Select an operation to see what it waits for."));
    }
    if (run.roofline) facts.append(element("h3", {}, "Kernels beside what the machine can do"), ...picture(run.roofline, "Roofline"));
    if (run.report.length) facts.append(element("h3", {}, "Report"), table(run.report[0], run.report.slice(1)));
    if (run.strategies.length) facts.append(element("h3", {}, "Strategies of kernels"), element("pre", {}, run.strategies.map((strategy) => strategy.words).join("\n")));
    if (run.events.length) {
      const named = (number) => element("button", { type: "button", class: "place", onclick: () => selectEvent(number) }, run.events[number].name);
      const rows = table(["what", "where", "begins", "takes", "waits for", "source"], run.events.map((event, number) => {
        const awaited = element("span", {});
        for (const other of event.after) awaited.append(...(awaited.hasChildNodes() ? [", "] : []), named(other));
        return [named(number), event.lane, seconds(event.begin), seconds(event.seconds), awaited, placeElement(event.location)];
      }));
      rows.id = "events";
      facts.append(element("h3", {}, "Operations"), rows);
    }
    return element("div", {}, facts);
  }

  /** Marks an operation of the run, in the picture and in the table, and the arrows at it. */
  function selectEvent(number) {
    const frame = document.getElementById("timeline");
    const touched = (path) => [path.dataset.from, path.dataset.to].includes(String(number));
    if (frame !== null) {
      frame.classList.toggle("chosen", number !== null);
      for (const bar of frame.querySelectorAll("[data-event]")) bar.classList.toggle("chosen", bar.dataset.event === String(number));
      for (const path of frame.querySelectorAll("path.wait")) path.classList.toggle("chosen", touched(path));
      // Where it has waited, for a bar may be wider than what is seen.
      const shown = frame.querySelector(`path.wait.chosen[data-to="${number}"]`) || frame.querySelector(".chosen");
      if (shown !== null) {
        const [at, around] = [shown.getBoundingClientRect(), frame.getBoundingClientRect()];
        frame.scrollLeft += (at.left + at.right - around.left - around.right) / 2; // the picture alone
      }
    }
    document.querySelectorAll("#events tbody tr").forEach((row, at) => row.classList.toggle("chosen", at === number));
    const event = number === null ? null : data.run.events[number];
    const names = (numbers) => numbers.map((other) => data.run.events[other].name).join(", ") || "nothing";
    const waiting = event === null ? [] : data.run.events.flatMap((other, at) => (other.after.includes(number) ? [at] : []));
    const words = document.getElementById("event");
    if (words === null) return;
    words.replaceChildren(...(event === null ? ["Select an operation to see what it waits for."]
      : [`${event.name} (${event.lane}, ${seconds(event.seconds)}) waits for ${names(event.after)}. Waiting for it: ${names(waiting)}. `, placeElement(event.location)]));
  }

  function sidePlace(side) {
    return side.file ? `${side.file}:${side.line}:${side.column}` : "";
  }

  function findingsPanel(findings) {
    const facts = element("div", { class: "facts" });
    if (!findings.length) facts.append(element("p", {}, "Nothing was found."));
    for (const finding of findings) {
      facts.append(element("h3", {}, `${finding.kind}: ${finding.message}`));
      facts.append(table(["what", "source", "line"], finding.sides.map((side) =>
        [side.did, placeElement(sidePlace(side)), element("code", {}, sourceText(data, side).trim())])));
      if (finding.hint) facts.append(element("p", {}, finding.hint));
    }
    return element("div", {}, facts);
  }

  // -- Search

  const search = document.getElementById("search");


  function runSearch() {
    state.query = search.value.toLowerCase();
    let hits = 0;
    const found = data.strings.map((text) => text.toLowerCase().includes(state.query));
    const has = (text) => text.some((line) => found[line.string]);
    for (const item of rail.children) {
      const step = data.steps[Number(item.dataset.step)];
      const isHit = has(texts[step.before]) || has(texts[step.after]);
      item.classList.toggle("missed", !isHit);
      hits += isHit;
    }
    showStep(state.step, true);
    for (const view of views) if (view !== rowsView) for (const made of view.container.children) mark(made);
    document.getElementById("hits").textContent = state.query === "" ? "" : `in ${count(hits, "pass").replace("passs", "passes")}`;
  }

  /** The next line with the text, in this pass or another. */
  function nextFound(direction) {
    if (state.query === "") return;
    const holds = (item) => item.kind !== "fold" && ["before", "after"].some((side) => {
      const line = lineOf(item, side);
      return line !== null && line.text.toLowerCase().includes(state.query);
    });
    const active = rowsView.active === null ? null : rowsView.active.closest(".row");
    let at = active === null ? (direction > 0 ? -1 : rowsView.items.length) : [...rowsView.container.children].indexOf(active);
    for (at += direction; at >= 0 && at < rowsView.items.length; at += direction) {
      if (!holds(rowsView.items[at])) continue;
      const row = rowsView.reveal(at);
      rowsView.activate(row.querySelector(".line.found") || row.querySelector(".line:not(.empty)"), false);
      return;
    }
    const hits = [...rail.children].filter((item) => !item.classList.contains("missed")).map((item) => Number(item.dataset.step));
    const next = direction > 0 ? hits.find((n) => n > state.step) : hits.reverse().find((n) => n < state.step);
    if (next === undefined) return;
    showStep(next, true);
    nextFound(direction);
  }

  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(runSearch, 120);
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    if (search.value.toLowerCase() !== state.query) runSearch();
    nextFound(event.shiftKey ? -1 : 1);
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape") {
      search.value = "";
      state.query = "";
      state.value = 0;
      runSearch();
      select(null, null);
      rail.focus();
    } else if (event.target === search) return;
    else if (event.key === "/") {
      event.preventDefault();
      search.focus();
      search.select();
    } else if (event.key === "n") nextChange(1);
    else if (event.key === "p") nextChange(-1);
  });

  const wide = document.getElementById("wide");
  wide.addEventListener("click", () => {
    const isWide = document.querySelector(".columns").classList.toggle("wide");
    wide.setAttribute("aria-pressed", String(isWide));
  });

  const keys = document.getElementById("keys");
  keys.addEventListener("click", () => {
    const help = document.getElementById("help");
    help.hidden = !help.hidden;
    keys.setAttribute("aria-expanded", String(!help.hidden));
  });

  fillRail();
  addPanels();
  showStep(data.steps.length ? 0 : -1);
})();
