// SPDX-License-Identifier: Apache-2.0
// The explorer page: plot, filters, table. No library, no network: all data are in the page.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b8a800"];
const ROWS = 200; // of the table, before "Show all"
const NEAR = 18; // pixels within which a point is hit

// ---- points: an object each, figures and options by name
const points = data.rows.map((row, index) => {
  const point = { index, target: data.targets[row.t], depth: row.d, options: {}, figures: {} };
  data.options.forEach((option, n) => { point.options[option.name] = option.values[row.o[n]]; });
  data.figures.forEach((figure, n) => { point.figures[figure.name] = row.f[n]; });
  point.note = row.n || "";
  return point;
});
let own = data.mine.map((mark) => ({ ...mark, kind: "mine" }));
const papers = data.papers.map((mark) => ({ ...mark, kind: "paper" }));
const figureOf = Object.fromEntries(data.figures.map((figure) => [figure.name, figure]));
const varying = data.options.filter((option) => option.values.length > 1);

const state = {
  target: data.targets[0], x: data.front[1], y: data.front[0], xlog: true, ylog: true,
  colour: (varying[0] || { name: "" }).name, frontOnly: false, papers: true, mine: true,
  limits: { x: NaN, y: NaN },
  hidden: Object.fromEntries(data.options.map((option) => [option.name, new Set()])),
  sort: data.front[1], down: false, all: false, hovered: null, chosen: null,
};
let shown = []; // points that pass the filters
let front = []; // of them, those that none beats, by x
let frontSet = new Set();
let drawn = []; // what is in the plot, with places

// ---- what is shown
function value(mark, name) {
  const found = mark.figures[name];
  return found === undefined ? null : found;
}

function known(mark) {
  const x = value(mark, state.x), y = value(mark, state.y);
  return x !== null && y !== null && (!state.xlog || x > 0) && (!state.ylog || y > 0);
}

// Whether a figure keeps its limit: at least that where more is better, else at most.
function within(point, name, limit) {
  const found = value(point, name);
  if (Number.isNaN(limit)) return true;
  return found !== null && (figureOf[name].more ? found >= limit : found <= limit);
}

function frontOf(marks) {
  const sign = (name) => (figureOf[name].more ? -1 : 1);
  const sx = sign(state.x), sy = sign(state.y);
  const sorted = [...marks].sort((a, b) =>
    sx * (value(a, state.x) - value(b, state.x)) || sy * (value(a, state.y) - value(b, state.y))
    || a.index - b.index);
  const found = [];
  let best = Infinity;
  for (const mark of sorted) {
    const y = sy * value(mark, state.y);
    if (y < best) { found.push(mark); best = y; }
  }
  return found.sort((a, b) => value(a, state.x) - value(b, state.x));
}

function refresh() {
  for (const way of ["x", "y"]) {
    at(`${way}limit`).placeholder = figureOf[state[way]].more ? "at least" : "at most";
  }
  const passing = points.filter((point) => point.target === state.target
    && within(point, state.x, state.limits.x) && within(point, state.y, state.limits.y)
    && data.options.every((option) => !state.hidden[option.name].has(point.options[option.name])));
  const plotted = passing.filter(known);
  front = frontOf(plotted);
  frontSet = new Set(front);
  shown = state.frontOnly ? front : passing;
  if (state.chosen && !state.chosen.kind && !shown.includes(state.chosen)) state.chosen = null;
  state.hovered = null;
  at("tip").hidden = true;
  layOut();
  paint();
  fillTable();
  showPoint();
  fillLegend();
}

// ---- scales
function nice(low, high, log) {
  if (log) {
    const ticks = [];
    for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); e++) {
      for (const m of high / low > 1e4 ? [1] : high / low > 60 ? [1, 3] : [1, 1.5, 2, 3, 4, 5, 7]) {
        const tick = m * 10 ** e;
        if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
      }
    }
    return ticks;
  }
  const rough = (high - low) / 6 || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((m) => m * power >= rough) || 10);
  const ticks = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step / 1e6; t += step) ticks.push(t);
  return ticks;
}

function scale(values, log, from, to) {
  let low = Math.min(...values), high = Math.max(...values);
  if (!values.length) { low = 1; high = 10; }
  if (log) { low /= 1.12; high *= 1.12; } else {
    const room = (high - low || Math.abs(high) || 1) * 0.05;
    low = low >= 0 ? Math.max(0, low - room) : low - room;
    high += room;
  }
  const f = log ? Math.log : (v) => v;
  const place = (v) => from + (to - from) * (f(v) - f(low)) / (f(high) - f(low));
  return { place, ticks: nice(low, high, log) };
}

function short(v) {
  if (v === null || v === undefined) return "";
  const size = Math.abs(v);
  if (size >= 1e6) return `${+(v / 1e6).toPrecision(4)}M`;
  if (size >= 1e4) return `${+(v / 1e3).toPrecision(4)}k`;
  return `${+v.toPrecision(4)}`;
}

function full(v, digits) {
  return v === null || v === undefined ? ""
    : v.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

// ---- the plot
const LETTER = 7; // pixels, at most, of a digit of the plot's font
const LEFT = 66, RIGHT = 14, TOP = 14, BOTTOM = 46;
let plot = null;

function colourOf(point) {
  const option = varying.find((one) => one.name === state.colour);
  if (!option) return COLOURS[0];
  return COLOURS[option.values.indexOf(point.options[option.name]) % COLOURS.length];
}

function layOut() {
  const box = at("plot").getBoundingClientRect();
  const marks = [...(state.papers ? papers : []), ...(state.mine ? own : [])].filter(known);
  const ours = shown.filter(known);
  const all = [...ours, ...marks];
  plot = {
    width: box.width, height: box.height,
    x: scale(all.map((m) => value(m, state.x)), state.xlog, LEFT, box.width - RIGHT),
    y: scale(all.map((m) => value(m, state.y)), state.ylog, box.height - BOTTOM, TOP),
  };
  drawn = all.map((mark) => ({
    mark, x: plot.x.place(value(mark, state.x)), y: plot.y.place(value(mark, state.y)),
  }));
}

// Both the canvas and the SVG are drawn by these calls.
function draw(pen, style) {
  const { width, height, x, y } = plot;
  pen.rect(0, 0, width, height, style.back);
  for (const tick of x.ticks) {
    const px = x.place(tick);
    pen.line([[px, TOP], [px, height - BOTTOM]], style.grid, 1);
  }
  for (const tick of labelled(x, LETTER, width)) {
    pen.text(short(tick), x.place(tick), height - BOTTOM + 16, style.soft, "middle");
  }
  for (const tick of y.ticks) {
    const py = y.place(tick);
    pen.line([[LEFT, py], [width - RIGHT, py]], style.grid, 1);
  }
  for (const tick of labelled(y, 0, height)) {
    pen.text(short(tick), LEFT - 7, y.place(tick) + 4, style.soft, "end");
  }
  pen.text(heading(figureOf[state.x]), (LEFT + width - RIGHT) / 2, height - 8, style.text, "middle");
  pen.upText(heading(figureOf[state.y]), 15, (TOP + height - BOTTOM) / 2, style.text);
  const steps = stairs();
  if (steps.length) pen.line(steps, style.front, 1.6);
  for (const { mark, x: px, y: py } of drawn) {
    if (mark.kind === "paper") pen.diamond(px, py, 5.5, style.paper, style.back);
    else if (mark.kind === "mine") pen.triangle(px, py, 6.5, style.mine, style.back);
    else pen.circle(px, py, frontSet.has(mark) ? 4.6 : 3, colourOf(mark),
      frontSet.has(mark) ? style.front : null, frontSet.has(mark) ? 1 : 0.62);
  }
}

// Ticks whose labels fit side by side, those of few digits first. Labels are as long as their
// letters or, without a width of letters, a line high.
function labelled(axis, letter, size) {
  const weight = (tick) => {
    const [digits, power] = tick.toExponential().split("e");
    return [1, 5, 3, 2].indexOf(+digits) >= 0 ? [1, 5, 3, 2].indexOf(+digits) : 4 + digits.length
      + Math.abs(+power) / 100;
  };
  const kept = [];
  for (const tick of [...axis.ticks].sort((a, b) => weight(a) - weight(b) || a - b)) {
    const at = axis.place(tick), half = letter ? short(tick).length * letter / 2 + 5 : 9;
    if (at + half > size || at - half < 0) continue;
    if (kept.every((other) => Math.abs(other.at - at) >= other.half + half)) {
      kept.push({ tick, at, half });
    }
  }
  return kept.map((one) => one.tick);
}

function heading(figure) {
  return `${figure.head}${figure.more ? " (more is better)" : " (less is better)"}`;
}

function stairs() {
  const better = figureOf[state.x].more ? 1 : -1;
  const steps = [];
  front.forEach((mark, n) => {
    const px = plot.x.place(value(mark, state.x)), py = plot.y.place(value(mark, state.y));
    if (n) {
      const last = steps[steps.length - 1];
      steps.push(better < 0 ? [px, last[1]] : [last[0], py]);
    }
    steps.push([px, py]);
  });
  return steps;
}

function styleNow() {
  const css = getComputedStyle(document.documentElement);
  const read = (name) => css.getPropertyValue(name).trim();
  return {
    back: read("--back"), grid: read("--grid"), soft: read("--soft"), text: read("--text"),
    front: read("--front"), paper: read("--text"), mine: "#009e73",
  };
}

function canvasPen(context) {
  const font = "12px system-ui, 'DejaVu Sans', sans-serif";
  const shape = (fill, edge, corners) => {
    context.beginPath();
    corners.forEach(([px, py], n) => (n ? context.lineTo(px, py) : context.moveTo(px, py)));
    context.closePath();
    context.fillStyle = fill; context.fill();
    context.strokeStyle = edge; context.lineWidth = 1; context.stroke();
  };
  return {
    rect(px, py, w, h, fill) { context.fillStyle = fill; context.fillRect(px, py, w, h); },
    line(places, colour, size) {
      context.beginPath();
      places.forEach(([px, py], n) => (n ? context.lineTo(px, py) : context.moveTo(px, py)));
      context.strokeStyle = colour; context.lineWidth = size; context.stroke();
    },
    text(words, px, py, colour, anchor) {
      context.font = font; context.fillStyle = colour;
      context.textAlign = { middle: "center", end: "right", start: "left" }[anchor];
      context.fillText(words, px, py);
    },
    upText(words, px, py, colour) {
      context.save();
      context.translate(px, py); context.rotate(-Math.PI / 2);
      this.text(words, 0, 0, colour, "middle");
      context.restore();
    },
    circle(px, py, r, fill, edge, alpha) {
      context.globalAlpha = alpha;
      context.beginPath(); context.arc(px, py, r, 0, 7);
      context.fillStyle = fill; context.fill();
      if (edge) { context.strokeStyle = edge; context.lineWidth = 1.6; context.stroke(); }
      context.globalAlpha = 1;
    },
    diamond(px, py, r, fill, edge) {
      shape(fill, edge, [[px, py - r], [px + r, py], [px, py + r], [px - r, py]]);
    },
    triangle(px, py, r, fill, edge) {
      shape(fill, edge, [[px, py - r], [px + r, py + r * 0.8], [px - r, py + r * 0.8]]);
    },
  };
}

function svgPen(parts) {
  const safe = (text) => String(text).replace(/&/g, "&amp;").replace(/</g, "&lt;");
  const round = (v) => +v.toFixed(1);
  const path = (places) => places.map(([px, py]) => `${round(px)},${round(py)}`).join(" ");
  const shape = (fill, edge, corners) =>
    parts.push(`<polygon points="${path(corners)}" fill="${fill}" stroke="${edge}"/>`);
  return {
    rect(px, py, w, h, fill) {
      parts.push(`<rect x="${px}" y="${py}" width="${w}" height="${h}" fill="${fill}"/>`);
    },
    line(places, colour, size) {
      parts.push(`<polyline points="${path(places)}" fill="none" stroke="${colour}"`
        + ` stroke-width="${size}"/>`);
    },
    text(words, px, py, colour, anchor) {
      parts.push(`<text x="${round(px)}" y="${round(py)}" fill="${colour}"`
        + ` text-anchor="${anchor}">${safe(words)}</text>`);
    },
    upText(words, px, py, colour) {
      parts.push(`<text transform="translate(${px} ${round(py)}) rotate(-90)" fill="${colour}"`
        + ` text-anchor="middle">${safe(words)}</text>`);
    },
    circle(px, py, r, fill, edge, alpha) {
      parts.push(`<circle cx="${round(px)}" cy="${round(py)}" r="${r}" fill="${fill}"`
        + ` opacity="${alpha}"${edge ? ` stroke="${edge}" stroke-width="1.6"` : ""}/>`);
    },
    diamond(px, py, r, fill, edge) {
      shape(fill, edge, [[px, py - r], [px + r, py], [px, py + r], [px - r, py]]);
    },
    triangle(px, py, r, fill, edge) {
      shape(fill, edge, [[px, py - r], [px + r, py + r * 0.8], [px - r, py + r * 0.8]]);
    },
  };
}

function paint() {
  const canvas = at("plot"), sharp = window.devicePixelRatio || 1;
  canvas.width = Math.round(plot.width * sharp);
  canvas.height = Math.round(plot.height * sharp);
  const context = canvas.getContext("2d");
  context.scale(sharp, sharp);
  const style = styleNow();
  draw(canvasPen(context), style);
  for (const mark of [state.chosen, state.hovered]) {
    const place = drawn.find((one) => one.mark === mark);
    if (!place) continue;
    context.beginPath(); context.arc(place.x, place.y, 9, 0, 7);
    context.strokeStyle = style.text; context.lineWidth = 2; context.stroke();
  }
}

function svgText() {
  const parts = [];
  draw(svgPen(parts), styleNow());
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${plot.width}" height="${plot.height}"`
    + ` font-family="system-ui, DejaVu Sans, sans-serif" font-size="12">${parts.join("\n")}</svg>`;
}

// ---- words about a point
function title(mark) {
  return mark.kind ? mark.name : `${mark.target}, ${mark.depth}d`;
}

function changes(point) {
  return data.options.filter((option) => point.options[option.name] !== option.default)
    .map((option) => `${option.name}=${point.options[option.name]}`);
}

function command(point) {
  const words = changes(point).map((setting) => `--set ${setting}`);
  return ["gcmforge build", ...words, "-o cores/mine"].join(" ");
}

function lines(mark) {
  const figures = data.figures.filter((figure) => value(mark, figure.name) !== null)
    .map((figure) => `${figure.head}: ${full(value(mark, figure.name), figure.digits)}`);
  const words = mark.kind ? [mark.note || ""] : [changes(mark).join(", ") || "default", mark.note];
  return [title(mark), ...figures, ...words].filter(Boolean);
}

// The tip has the two figures of the axes only, so that the plot stays in sight; the rest is shown in
// the panel while the point is under the pointer.
function hover(mark, say) {
  state.hovered = mark;
  const tip = at("tip"), place = drawn.find((one) => one.mark === mark);
  tip.hidden = !place;
  if (place) {
    tip.textContent = [state.y, state.x].map((name) =>
      `${figureOf[name].head}: ${full(value(mark, name), figureOf[name].digits)}`).join("\n");
    const right = place.x > plot.width / 2, low = place.y > plot.height / 2;
    tip.style.left = right ? "" : `${place.x + 14}px`;
    tip.style.right = right ? `${plot.width - place.x + 14}px` : "";
    tip.style.top = low ? "" : `${place.y + 10}px`;
    tip.style.bottom = low ? `${plot.height - place.y + 10}px` : "";
    if (say) at("live").textContent = lines(mark).join(", ");
  }
  showPoint();
  paint();
}

function choose(mark) {
  state.chosen = mark;
  showPoint();
  paint();
  for (const row of at("table").tBodies[0].rows) {
    row.classList.toggle("chosen", !!mark && +row.dataset.index === mark.index && !mark.kind);
  }
}

function fillList(list, pairs) {
  list.replaceChildren(...pairs.flatMap(([name, text]) => {
    const term = document.createElement("dt"), words = document.createElement("dd");
    term.textContent = name; words.textContent = text;
    return [term, words];
  }));
}

// A command whose lines break between options only.
function unbroken(text) {
  return text.split(/ (?=-)/).flatMap((words, n) => {
    const option = document.createElement("span");
    option.textContent = words;
    return n ? [" ", option] : [option];
  });
}

// The panel: the point under the pointer, else the chosen one. Its figures and its command come
// first; all options, most of them as everywhere, are folded away.
function showPoint() {
  const mark = state.hovered || state.chosen, build = !!mark && !mark.kind;
  at("chosentitle").textContent = mark ? title(mark) : "No point chosen";
  at("keys").hidden = !!mark;
  at("commandbox").hidden = !build;
  const figures = mark ? data.figures.filter((figure) => value(mark, figure.name) !== null) : [];
  fillList(at("figures"), [
    ...figures.map((one) => [one.head, full(value(mark, one.name), one.digits)]),
    ...(mark && mark.note ? [["note", mark.note]] : []),
  ]);
  fillList(at("options"),
    build ? data.options.map((option) => [option.name, String(mark.options[option.name])]) : []);
  at("command").replaceChildren(...(build ? unbroken(command(mark)) : []));
}

function fillLegend() {
  const style = styleNow(), legend = at("legend");
  legend.replaceChildren();
  const add = (inside, words) => {
    const item = document.createElement("span");
    item.innerHTML = `<svg width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">${inside}</svg>`;
    item.append(words);
    legend.append(item);
  };
  const option = varying.find((one) => one.name === state.colour);
  if (option) option.values.forEach((v, n) =>
    add(`<circle r="4.5" fill="${COLOURS[n % COLOURS.length]}"/>`, `${option.name} ${v}`));
  else add(`<circle r="4.5" fill="${COLOURS[0]}"/>`, "a core");
  add(`<circle r="4.5" fill="none" stroke="${style.front}" stroke-width="2"/>`, "on the front");
  if (state.papers && papers.some(known)) {
    add(`<path d="M0-6 6 0 0 6-6 0z" fill="${style.paper}"/>`, "published, in its own technology");
  }
  if (state.mine && own.some(known)) {
    add(`<path d="M0-6 6 5-6 5z" fill="${style.mine}"/>`, "own point");
  }
}

// ---- the table
function columns() {
  const figures = data.figures.filter((figure) => shown.some((p) => value(p, figure.name) !== null));
  return [
    ...figures.map((figure) => ({
      name: figure.name, head: figure.head, word: false,
      get: (p) => value(p, figure.name), text: (p) => full(value(p, figure.name), figure.digits),
    })),
    ...varying.map((option) => ({
      name: option.name, head: option.name, word: typeof option.values[0] === "string",
      get: (p) => p.options[option.name], text: (p) => String(p.options[option.name]),
    })),
  ];
}

function compare(a, b) {
  if (a === null || b === null) return (a === null) - (b === null);
  return typeof a === "string" ? a.localeCompare(b, "en", { numeric: true }) : a - b;
}

function sorted() {
  const column = columns().find((one) => one.name === state.sort);
  if (!column) return shown;
  const way = state.down ? -1 : 1;
  return [...shown].sort((a, b) => way * compare(column.get(a), column.get(b)) || a.index - b.index);
}

function fillTable() {
  const list = columns(), rows = sorted(), head = at("table").tHead, body = at("table").tBodies[0];
  const line = document.createElement("tr");
  for (const column of list) {
    const cell = document.createElement("th"), button = document.createElement("button");
    const active = column.name === state.sort;
    cell.className = column.word ? "word" : "";
    cell.setAttribute("aria-sort", active ? (state.down ? "descending" : "ascending") : "none");
    button.type = "button";
    button.dataset.column = column.name;
    button.textContent = column.head + (active ? (state.down ? " \u25be" : " \u25b4") : "");
    button.onclick = () => {
      state.down = active ? !state.down : !!(figureOf[column.name] || {}).more;
      state.sort = column.name;
      fillTable();
      head.querySelector(`button[data-column="${column.name}"]`).focus();
    };
    cell.append(button);
    line.append(cell);
  }
  head.replaceChildren(line);
  const visible = state.all ? rows : rows.slice(0, ROWS);
  body.replaceChildren(...visible.map((point) => {
    const row = document.createElement("tr");
    row.dataset.index = point.index;
    row.className = (frontSet.has(point) ? "front" : "") + (point === state.chosen ? " chosen" : "");
    row.tabIndex = 0;
    row.onclick = () => choose(point);
    row.onkeydown = (event) => { if (event.key === "Enter") choose(point); };
    for (const column of list) {
      const cell = document.createElement("td");
      cell.textContent = column.text(point);
      if (column.word) cell.className = "word";
      row.append(cell);
    }
    return row;
  }));
  at("more").hidden = visible.length === rows.length;
  at("more").textContent = `Show all ${full(rows.length, 0)}`;
  at("count").textContent = `${full(shown.length, 0)} of ${full(points.length, 0)} points, `
    + `${full(front.length, 0)} on the front`;
}

// ---- export
function save(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

function records() {
  return sorted().map((point) => ({
    target: point.target, depth: point.depth, ...point.figures, ...point.options,
    front: frontSet.has(point), build: command(point),
  }));
}

function csvText() {
  const rows = records(), names = Object.keys(rows[0] || {});
  const cell = (v) => {
    const text = v === null || v === undefined ? "" : String(v);
    return /[",\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
  };
  return [names, ...rows.map((row) => names.map((name) => row[name]))]
    .map((row) => row.map(cell).join(",")).join("\n") + "\n";
}

function csvRows(text) {
  const rows = [[]];
  let cell = "", quoted = false;
  for (let n = 0; n < text.length; n++) {
    const c = text[n];
    if (quoted) {
      if (c === '"' && text[n + 1] === '"') { cell += '"'; n++; } else if (c === '"') quoted = false;
      else cell += c;
    } else if (c === '"') quoted = true;
    else if (c === ",") { rows.at(-1).push(cell); cell = ""; }
    else if (c === "\n") { rows.at(-1).push(cell); cell = ""; rows.push([]); }
    else if (c !== "\r") cell += c;
  }
  if (cell || rows.at(-1).length) rows.at(-1).push(cell); else rows.pop();
  return rows;
}

function ownPoints(text) {
  const [names, ...rows] = csvRows(text);
  return rows.filter((row) => row.length > 1).map((row, n) => {
    const cells = Object.fromEntries(names.map((name, k) => [name.trim(), (row[k] || "").trim()]));
    const figures = {};
    for (const figure of data.figures) {
      const number = cells[figure.name] ? Number(cells[figure.name]) : NaN;
      figures[figure.name] = Number.isFinite(number) ? number : null;
    }
    return { kind: "mine", name: cells.name || `own point ${n + 1}`, note: cells.note || "", figures };
  });
}

// ---- controls
function fill(select, values, chosen) {
  select.replaceChildren(...values.map(([key, words]) => new Option(words, key, false, key === chosen)));
}

function setUp() {
  const usable = data.figures.filter((f) => points.some((p) => value(p, f.name) !== null));
  if (!usable.some((f) => f.name === state.x)) state.x = usable[0].name;
  if (!usable.some((f) => f.name === state.y)) state.y = usable[usable.length - 1].name;
  const choices = usable.map((f) => [f.name, f.head]);
  fill(at("target"), data.targets.map((t) => [t, t]), state.target);
  fill(at("x"), choices, state.x);
  fill(at("y"), choices, state.y);
  fill(at("colour"), [...varying.map((o) => [o.name, o.name]), ["", "nothing"]], state.colour);
  at("xlog").checked = state.xlog;
  at("ylog").checked = state.ylog;
  for (const option of varying) at("filters").append(filterOf(option));
  at("filterbox").hidden = !varying.length;
  at("filterbox").open = matchMedia("(min-width: 60rem) and (min-height: 50rem)").matches;
  const bind = (id, name, of) => {
    at(id).onchange = (event) => { state[name] = event.target[of]; refresh(); };
  };
  at("target").onchange = (event) => {
    state.target = event.target.value;
    const there = points.filter((point) => point.target === state.target);
    if (![state.x, state.y].every((name) => there.some((p) => value(p, name) !== null))) {
      [state.y, state.x] = data.fronts[data.targets.indexOf(state.target)];
      at("x").value = state.x;
      at("y").value = state.y;
    }
    refresh();
  };
  for (const [id, name] of [["x", "x"], ["y", "y"], ["colour", "colour"]]) {
    bind(id, name, "value");
  }
  for (const [id, name] of [["xlog", "xlog"], ["ylog", "ylog"], ["frontonly", "frontOnly"],
    ["papers", "papers"], ["mine", "mine"]]) bind(id, name, "checked");
  for (const way of ["x", "y"]) {
    at(`${way}limit`).oninput = (event) => {
      state.limits[way] = event.target.valueAsNumber;
      refresh();
    };
  }
  at("file").onchange = async (event) => {
    const file = event.target.files[0];
    if (!file) return;
    const read = ownPoints(await file.text());
    const good = read.filter((point) => Object.values(point.figures).some((f) => f !== null));
    own = own.concat(good);
    refresh();
    if (good.length < read.length || !good.length) {
      const columns = data.figures.map((figure) => figure.name).join(", ");
      alert(`${file.name}: ${good.length} of ${read.length} points have figures; `
        + `the columns are name, note and ${columns}`);
    }
  };
  at("more").onclick = () => { state.all = true; fillTable(); };
  at("csv").onclick = () => save("points.csv", "text/csv", csvText());
  at("json").onclick = () => save("points.json", "application/json", JSON.stringify(records(), null, 1));
  at("svg").onclick = () => save("plot.svg", "image/svg+xml", svgText());
  at("png").onclick = () => at("plot").toBlob((blob) => save("plot.png", "image/png", blob));
  at("copy").onclick = copy;
  plotKeys();
  theme();
  new ResizeObserver(() => { layOut(); paint(); }).observe(at("plotbox"));
}

function filterOf(option) {
  const box = document.createElement("fieldset"), name = document.createElement("legend");
  name.textContent = option.name;
  box.append(name);
  for (const one of option.values) {
    const label = document.createElement("label"), input = document.createElement("input");
    input.type = "checkbox";
    input.checked = true;
    input.dataset.option = option.name;
    input.dataset.value = one;
    input.onchange = () => {
      state.hidden[option.name][input.checked ? "delete" : "add"](one);
      refresh();
    };
    label.append(input, ` ${one}`);
    box.append(label);
  }
  return box;
}

async function copy() {
  const text = at("command").textContent;
  try {
    await navigator.clipboard.writeText(text);
    at("copy").textContent = "Copied";
  } catch {
    getSelection().selectAllChildren(at("command"));
    at("copy").textContent = "Selected: press Ctrl+C";
  }
  setTimeout(() => { at("copy").textContent = "Copy command"; }, 2000);
}

function nearest(event) {
  const box = at("plot").getBoundingClientRect();
  const px = event.clientX - box.left, py = event.clientY - box.top;
  let best = null, least = NEAR;
  for (const place of drawn) {
    const far = Math.hypot(place.x - px, place.y - py) - (frontSet.has(place.mark) ? 2 : 0);
    if (far < least) { least = far; best = place.mark; }
  }
  return best;
}

function plotKeys() {
  const canvas = at("plot");
  canvas.onpointermove = (event) => {
    const mark = nearest(event);
    if (mark !== state.hovered) hover(mark, false);
  };
  canvas.onpointerleave = () => hover(null, false);
  canvas.onclick = (event) => choose(nearest(event));
  canvas.onkeydown = (event) => {
    const list = event.shiftKey
      ? [...drawn].sort((a, b) => a.x - b.x || a.y - b.y).map((one) => one.mark) : front;
    const now = list.indexOf(state.hovered);
    const last = list.length - 1;
    const next = {
      ArrowRight: now < 0 ? 0 : Math.min(last, now + 1), ArrowUp: now < 0 ? 0 : Math.min(last, now + 1),
      ArrowLeft: now < 0 ? last : Math.max(0, now - 1), ArrowDown: now < 0 ? last : Math.max(0, now - 1),
      Home: 0, End: last,
    }[event.key];
    if (next !== undefined && list.length) hover(list[next], true);
    else if (event.key === "Enter" && state.hovered) choose(state.hovered);
    else if (event.key === "Escape") { hover(null, false); choose(null); } else return;
    event.preventDefault();
  };
}

function theme() {
  const root = document.documentElement, dark = matchMedia("(prefers-color-scheme: dark)");
  const set = (isDark) => {
    root.dataset.theme = isDark ? "dark" : "light";
    at("theme").textContent = isDark ? "Light" : "Dark";
    at("theme").setAttribute("aria-pressed", String(isDark));
    if (plot) { paint(); fillLegend(); }
  };
  set(dark.matches);
  dark.onchange = (event) => set(event.matches);
  at("theme").onclick = () => set(root.dataset.theme !== "dark");
}

setUp();
refresh();
document.documentElement.dataset.ready = "yes";
