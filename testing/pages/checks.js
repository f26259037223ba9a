// Checks of the HTML pages. `test.py` evaluates this file in an open page, and calls one check.
//
// The page's own functions (`openSample`, `panes`) are in scope, and `drive`, a function of `test.py`.

const press = key => drive("press", key);
const write = text => drive("write", text);
/** Sets the width and height of the window, the scheme of colours, or the medium. */
const look = changes => drive("look", changes);
const printPage = () => drive("print");
/** Moves the pointer with its button down. */
const drag = (from, to) => drive("drag", [...from, ...to]);
/** Returns the processor time of the page's thread, in seconds. */
const work = () => drive("work");

/** A name that would be markup if it were not escaped. */
const HOSTILE = "</script><img src=x onerror=alert(1)>.dxil";

/** In the page of a batch, the graph before and after. */
const graphsInSight = () => all(".graph").filter(box => box.offsetHeight);
/** The buttons of the views of a pane, from left to right, and the one that is chosen. */
const tabsOf = number => [...panes[number].buttons.values()].filter(button => !button.hidden);
const chosen = number => tabsOf(number).find(button => button.getAttribute("aria-pressed") === "true").textContent;

const one = selector => document.querySelector(selector);
const all = selector => [...document.querySelectorAll(selector)];
const content = selector => one(selector).textContent;
const click = selector => one(selector).click();
const pause = time => new Promise(done => setTimeout(done, time));
const frames = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)));
const send = (element, event, Kind = Event) => element.dispatchEvent(new Kind(event, { bubbles: true }));
const enter = (element, value, event) => { element.value = value; send(element, event); };

const isTrue = value => equal(Boolean(value), true);
function equal(value, expected) {
    const [found, wanted] = [value, expected].map(part => JSON.stringify(part));
    if (found !== wanted) throw new Error(`${found}, expected ${wanted}`);
}
async function until(condition) {
    const end = Date.now() + 15_000;
    while (!condition()) {
        if (Date.now() > end) throw new Error(`this did not become true: ${condition}`);
        await pause(20);
    }
}

// The page of a batch.

const report = () => JSON.parse(content("#data"));
const found = () => content("#found").split(" ")[0];
const selected = () => one("[aria-selected=true]").id;
const column = number => all(".canvas > .row").sort((a, b) => a.dataset.at - b.dataset.at)
    .map(row => row.children[number].textContent);
const allFailed = () => column(0).every(text => text === "failed");

/** Opens the only shader in sight. */
async function openOnly() {
    await press("Enter");
    await until(() => one(".shader .rest[data-ready]"));
    await frames();
}

async function overview() {
    equal(content(".tile dd"), report().shaders.input.length.toLocaleString("en"));
    isTrue(all(".chart .bin").length > 20);
    isTrue(all(".cause").length > 3);
    isTrue(content(".cause .todo").length > 30);
    // A click on a bar shows the shaders of that bin.
    const bin = all(".bin").at(3);
    const wanted = bin.getAttribute("aria-label").match(/: ([\d,]+)/)[1];
    send(bin, "click", MouseEvent);
    equal(found(), wanted);
    equal(all(".chip").length, 1);
}

async function sorting() {
    const header = name => all(".head button").find(button => button.textContent.startsWith(name));
    const { input, words } = report().shaders;
    header("SPIR-V").click();
    equal(content("[aria-sort=descending]"), "SPIR-V↓");
    equal(content("#row-0 .file"), input[words.indexOf(Math.max(...words))].split("/").at(-1));
    header("SPIR-V").click();
    equal(all("[aria-sort=ascending]").length, 1);
    header("Shader").click();
    const names = column(1);
    isTrue(names.length >= 10);
    equal(names, [...names].sort());
}

async function filters() {
    const failed = String(report().totals.failed);
    all(".choices button").find(button => button.textContent.startsWith("Failed")).click();
    equal(found(), failed);
    isTrue(allFailed());
    // The hostile name is text.
    await press("/");
    await write("onerror=");
    equal(found(), "1");
    isTrue(content("#row-0 .path").includes(HOSTILE));
    equal(document.images.length, 0);
    // Escape clears the search; a search without results shows that there are none.
    await press("Escape");
    equal(found(), failed);
    await press("/");
    await write("no such shader");
    equal(all(".canvas > .row").length, 0);
    isTrue(one(".rows.none"));
}

async function keyboard() {
    await press("?");
    isTrue(one("#help").open);
    isTrue(/Next and previous shader.*outputs checked by/s.test(content("#help")) && !content("#help").includes("object"));
    one("#help").close();
    await press("2");
    for (const key of ["j", "ArrowDown", "ArrowDown", "k"]) await press(key);
    equal(selected(), "row-2");
    const name = content("#row-2 .file");
    await press("Enter");
    isTrue(content(".shader h2").includes(name));
    await until(() => one(".shader .rest[data-ready]"));
    // Digits choose views, `j` the next shader, Escape leads back to its row.
    await press("2");
    equal(chosen(0), "Pseudo-code");
    await press("j");
    isTrue(!content(".shader h2").includes(name));
    await press("Escape");
    equal(selected(), "row-3");
    await press("End");
    equal(selected(), `row-${report().shaders.input.length - 1}`);
}

/** All views of a shader with embedded HLSL. */
async function details() {
    await openOnly();
    equal(graphsInSight().map(box => box.querySelectorAll("svg").length), [1, 1]);
    isTrue(all("#graph .tv-node").length > 3);
    // The stages and their remarks, of which one leads to its block.
    equal(step(), graph.steps.at(-1).stage);
    all("#steps button:has(.number)").at(-1).click();
    click("#remarks button");
    isTrue(one("#graph .tv-kept"));
    for (const [tab, text] of Object.entries({
        pseudo_code: "if", source: "float4 main", input: "define void @main", output: "OpEntryPoint Fragment", operations: "StoreOutput",
    })) {
        panes[0].buttons.get(tab).click();
        equal(chosen(0), PANES[tab].title);
        if (tab !== "operations") enter(panes[0].find, text, "input");
        isTrue(panes[0].root.textContent.includes(text));
        if (tab !== "operations") isTrue(panes[0].root.querySelector(".hit").textContent.includes(text));
    }
}

async function failures() {
    equal(all(".cause").length, report().causes.length);
    // The largest group comes first, and leads to its shaders.
    const count = content(".cause > .link").split(" ")[0];
    click(".cause > .link");
    equal(found(), count);
    isTrue(allFailed());
    await openOnly();
    isTrue(content(".failure").includes("What to do"));
    panes[0].buttons.get("output").click();
    isTrue(panes[0].root.textContent.includes("; Not available: "));
    // An input that cannot be read has no view.
    const unreadable = report().shaders.input.findIndex(name => name.includes("truncated"));
    location.hash = `#shader=${unreadable}`;
    await until(() => content(".rest").startsWith("Not available: "));
    isTrue(one("#panes").hidden);
}

/** The address has the state, and the browser's back button works. */
async function address() {
    equal(one("#search").value, "waves");
    equal(all("[aria-sort=descending]").length, 1);
    isTrue(column(1).every(text => text.includes("waves")));
    await press("Enter");
    isTrue(/query=waves.*shader=\d+/.test(location.hash));
    history.back();
    await until(() => one(".rows") && !one(".shader"));
    equal(one("#search").value, "waves");
}

async function colours() {
    const isLight = () => getComputedStyle(document.body).backgroundColor.match(/\d+/g)[0] > 128;
    isTrue(isLight());
    await look({ scheme: "dark" });
    await until(() => !isLight());
    // The button's choice is stronger than the system's.
    click("#theme");
    isTrue(isLight());
    click("#theme");
    await look({ scheme: "light" });
    isTrue(!isLight());
    await press("t");
    equal(document.documentElement.dataset.theme, "auto");
}

/** Roles and names, for screen readers. */
async function roles() {
    const grid = one("[role=grid]");
    equal(grid.getAttribute("aria-rowcount"), String(report().shaders.input.length + 1));
    isTrue(document.getElementById(grid.getAttribute("aria-activedescendant")));
    equal(all("[role=columnheader][aria-sort]").length, 7);
    const isNameless = e => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length);
    for (const view of ["1", "2", "3", "4", "5"]) {
        await press(view);
        equal(all("button,input,select,[role=button]").filter(isNameless).length, 0);
    }
}

/** The entry block is in sight, and the middle stays in the middle. */
async function graphs() {
    await openOnly();
    equal(graphsInSight().length, 2);
    for (const scroll of graphsInSight()) {
        const outer = scroll.getBoundingClientRect(), box = scroll.querySelector(".tv-node").getBoundingClientRect();
        isTrue(box.left > outer.left && box.right < outer.right && box.top > outer.top && box.top < outer.top + 40);
    }
    const scroll = one("#graph");
    const middle = () => {
        const outer = scroll.getBoundingClientRect(), box = scroll.firstChild.getBoundingClientRect();
        return [(outer.left + outer.width / 2 - box.left) / box.width, (outer.top + outer.height / 2 - box.top) / box.height];
    };
    scroll.scrollBy(20, 300);
    const before = middle();
    scroll.parentNode.querySelector("[aria-label^=Larger]").click();
    isTrue(middle().every((part, i) => Math.abs(part - before[i]) < 0.01));
    // The graph before does not change with the stage, but shares its blocks with the other graphs.
    const input = () => panes[0].before.box.innerHTML;
    const whole = input();
    await press("Home");
    equal(input(), whole);
    send(one("#graph [data-block=b2]"), "click", MouseEvent);
    equal(all(".graph .tv-kept").map(block => block.dataset.block), ["b2", "b2"]);
    // Escape first lets go of the block.
    await press("Escape");
    equal(all(".tv-kept").length, 0);
    isTrue(one(".shader"));
}

/** A part that could not be made gives the reason. */
async function missingParts() {
    await openOnly();
    isTrue(one("#graph [data-block]"));
    // No listing of the corpus is too long.
    const text = { text: "a\nb\n", marks: [] };
    show({ functions: [], no_functions: "too long", entries: ["main"], sources: [], input: text, output: text });
    isTrue(content("#graph").includes("No graph: "));
    panes[1].buttons.get("pseudo_code").click();
    isTrue(panes[1].root.textContent.includes("No structure: "));
    isTrue(panes[2].rows.length > 0);
}

/** Nothing is wider than the window. */
async function narrow() {
    await look({ width: 400, height: 800 });
    await openOnly();
    isTrue(one("#main").scrollWidth <= 400 && document.documentElement.scrollWidth <= 400);
    isTrue(all(".codebar, #steps, #remarks").every(bar => bar.scrollWidth <= bar.clientWidth));
    // Tabs scroll sideways only.
    await look({ width: 900, height: 700 });
    isTrue(all(".tabs").every(tabs => getComputedStyle(tabs).overflowY === "hidden"));
}

/** All rows, lines and graphs are printed. They are as before afterwards. */
async function paper() {
    // The page's own listeners are called before this one.
    let printed;
    addEventListener("beforeprint", () => { printed = all(".canvas > .row, .codeline").length; });
    const rows = parseInt(content("#found")), inSight = all(".canvas > .row").length;
    await printPage();
    equal(printed, rows);
    equal(all(".canvas > .row").length, inSight);
    await look({ medium: "print" });
    send(window, "beforeprint");
    const isWhole = () => all("main, .rows, .lines, .graph, #remarks").every(box =>
        box.scrollHeight <= box.clientHeight + 2 && box.scrollWidth <= box.clientWidth + 2);
    isTrue(isWhole());
    send(window, "afterprint");
    await openOnly();
    // Wider than the pane.
    for (let i = 0; i < 6; i++) all("[aria-label^=Larger]").forEach(button => button.click());
    isTrue(isWhole());
    panes[0].buttons.get("output").click();
    send(window, "beforeprint");
    equal(panes[0].root.querySelectorAll(".codeline").length, parseInt(panes[0].size.textContent.replace(",", "")));
    isTrue(isWhole());
}

/** A printed list ends after some rows, with a note. */
async function longPaper() {
    send(window, "beforeprint");
    equal(all(".canvas > .row").length, 2000);
    equal(content(".canvas > .note"), "8,000 more rows: not printed.");
    send(window, "afterprint");
    equal(all(".canvas > .note").length, 0);
}

/** Properties of all objects are not an order. */
async function wrongAddresses() {
    isTrue(all(".canvas > .row").length > 10);
}

/** The totals are the sums of the shaders, and the counter of switches is one of them. */
async function structure() {
    const { counters, shaders } = report();
    const sum = number => shaders.counts.reduce((sum, list) => {
        for (let at = 0; at < list.length; at += 2) if (list[at] === number) sum += list[at + 1];
        return sum;
    }, 0);
    equal(
        all(".plain tbody tr").map(row => [row.querySelector("th").firstChild.textContent, row.querySelector("td").textContent]),
        counters.map((name, number) => [name, sum(number).toLocaleString("en")]),
    );
    isTrue(all(".plain .link").some(link => link.textContent === "switches"));
}

/** Links have another colour than text. */
async function links() {
    for (const scheme of ["light", "dark"]) {
        await look({ scheme });
        isTrue(all(".link").every(link => getComputedStyle(link).color !== getComputedStyle(document.body).color));
    }
}

/** Of two values the median is the lower one. */
async function quantiles() {
    equal(all(".facts").map(facts => {
        const [median, , , most] = [...facts.querySelectorAll("dd")].map(value => value.textContent);
        return median === most;
    }), [false, false, false]);
}

/** The place in a list and in the overview is kept while a shader is open. */
async function wayBack() {
    one(".rows").scrollTop = 20000;
    await frames();
    for (const back of [
        () => click(".crumbs button"),
        () => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape", bubbles: true })),
        () => history.back(),
    ]) {
        click("#row-600");
        isTrue(one(".shader"));
        back();
        await until(() => one(".rows"));
        equal([one(".rows").scrollTop, selected()], [20000, "row-600"]);
    }
    // From a shader of the overview, Escape leads back there, and the button to its row in the list.
    await press("1");
    one("#main").scrollTop = 200;
    click(".bars .link");
    await press("Escape");
    equal([content("[aria-current]"), one("#main").scrollTop], ["Overview", 200]);
    const name = one(".bars .link").title;
    click(".bars .link");
    click(".crumbs button");
    equal(content(".canvas > [aria-selected=true] .path"), name);
}

/** The command that converts a shader has the options of the batch, and a long name of an output is wrapped. */
async function commands() {
    await until(() => all(".command").length === 5);
    equal(all(".command code").at(-1).textContent.split(" --entry ")[1], "main --target vulkan1.1 --shift 'srv=1 2' --asm");
    isTrue(one("#main").scrollWidth <= innerWidth);
}

/**
 * Sorts, filters and scrolls many shaders. The limits, in milliseconds, are several times the needs of a desktop of
 * 2020, so that a busy machine passes, and a page that draws all rows does not.
 */
async function speed() {
    equal(report().shaders.input.length, 10_000);
    isTrue(all(".canvas > .row").length < 100);
    // The slowest action of a list, with its layout. Of three tries the fastest counts, as other programs run.
    const slowest = actions => Math.max(...actions.map(action => Math.min(...[1, 2, 3].map(() => {
        const start = performance.now();
        action();
        one(".rows").scrollHeight;
        return performance.now() - start;
    }))));
    const sort = slowest([0, 1, 2, 3, 4, 5, 6].map(i => () => all(".head button")[i].click()));
    const texts = ["p", "pa", "pass_1", "pass_1 7", "not supported", ""];
    const filter = slowest(texts.map(text => () => enter(one("#search"), text, "input")));
    // The page's own work for a frame of scrolling, on average: within the limit, the next frame is in time.
    // The least of three rounds, as other programs run.
    let scroll = Infinity;
    for (let round = 0; round < 3; round++) {
        const count = 40, before = await work();
        for (let frame = 0; frame < count; frame++) {
            await new Promise(requestAnimationFrame);
            one(".rows").scrollTop += 700;
        }
        scroll = Math.min(scroll, 1e3 * (await work() - before) / count);
    }
    isTrue(one(".rows").scrollTop > 50_000);
    const times = `sorting ${sort.toFixed(1)} ms, filtering ${filter.toFixed(1)} ms, a frame ${scroll.toFixed(1)} ms`;
    if (sort > 250 || filter > 150 || scroll > 16) throw new Error(times);
    return times;
}

// The page of the explorer.

const status = () => content("#status");
const problem = () => one("#problem").hidden ? "" : content("#problem");
const message = () => one("#message").hidden ? "" : content("#message");
const isReady = () => document.documentElement.dataset.ready && !status().includes("converting");
const ready = () => until(isReady);
const step = () => one("#steps [aria-current]").firstChild.data;
const file = (content, name) => openFile(new File([content], name));

/** The name of the shader that is shown, and the one in the list. */
const shown = () => [state.name, byId("sample").value, status().split(":")[0]].join();
const isShown = name => until(() => shown() === `${name},${name},${name}` && location.hash.includes(`shader=${name}`));

/** Follows a link in the open page, and waits until it is shown. */
async function follow(link) {
    // The page answers the event, which comes later, and then writes its own link.
    const changed = new Promise(done => addEventListener("hashchange", () => done(), { once: true }));
    location.hash = link;
    await changed;
    await ready();
}

const pane = (number, selector) => [...all(".text-pane")[number].querySelectorAll(selector)];

async function stagesAndBlocks() {
    await ready();
    isTrue(one("#graph svg"));
    isTrue(one("#message").hidden);
    // The result is shown first; Home leads to the input.
    await press("Home");
    equal(step(), "input");
    await press("ArrowRight");
    isTrue(step() !== "input");
    await press("End");
    // The graph can be made larger.
    const width = () => one("#graph svg").clientWidth;
    const before = width();
    await press("+");
    isTrue(width() > before);
    await press("0");
    equal(width(), before);
    // A block of the graph is kept in all texts.
    send(one("#graph [data-block=b18]"), "click", MouseEvent);
    panes[0].buttons.get("pseudo_code").click();
    for (const [number, text] of ["// b18 (%73)", "%b18 = OpLabel"].entries()) {
        const kept = () => pane(number, ".codeline.kept").sort((a, b) => a.dataset.index - b.dataset.index)[0];
        await until(() => kept()?.textContent.includes(text));
    }
    // A line of the DXIL leads to the same block.
    await press("Escape");
    isTrue(!one(".kept, .tv-kept"));
    pane(1, ".tabs button").find(button => button.textContent === "DXIL").click();
    send(pane(0, ".codeline").find(row => row.textContent.includes("(%6)")), "click", MouseEvent);
    await until(() => one("#graph .tv-kept"));
    await until(() => pane(1, ".codeline.kept").some(row => row.textContent.includes("label>:6")));
}

async function options() {
    await ready();
    click("#compare");
    for (const stage of ["conditions", "switch-order", "loop-ends"]) click(`#stages input[name=${stage}]`);
    await ready();
    await until(() => one(".codeline.added") && one(".codeline.removed"));
    await until(() => location.hash.includes("switch-order"));
    // The message names text that is not JSON, and JSON that is not an option.
    // It is there while one types, below the text, and what is shown of the shader stays.
    const before = panes[1].texts;
    for (const [text, what] of [["{", "not JSON"], ['{ "no": 1 }', "unknown field `no`"]]) {
        enter(byId("json"), text, "input");
        await until(() => problem().includes(what));
        isTrue(byId("json").matches("[aria-invalid]") && panes[1].texts === before && !message());
    }
    enter(byId("json"), '{ "debug": { "names": false } }', "input");
    await until(() => !problem() && panes[1].rows.some(row => row.kind === "-" && row.text.includes('OpName %In "In"')));
    click("#reset");
    await until(() => !one(".codeline.added"));
}

async function comparison() {
    await ready();
    // Ids do not count as differences. There are more edits than one search makes.
    const count = kind => panes[1].rows.filter(row => row.kind === kind && row.text.includes("Op")).length;
    isTrue(count(" ") > 5000);
    for (const kind of ["+", "-"]) isTrue(count(kind) > 10 && count(kind) < 700);
    // Texts that are the same are not compared again.
    const list = name => lastDifference.get(name).list, before = list("output");
    await run();
    isTrue(list("output") === before && panes[0].texts.output.rows === panes[1].rows);
    // The differences of texts lead from one to the other, and a long insertion moves nothing.
    let seed = 1;
    const random = count => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return (seed >> 8) % count;
    };
    const lines = (count, kinds) => Array.from({ length: count }, () => String(random(kinds)));
    const same = (old, now) => {
        const list = difference(old, now);
        equal(list.filter(([kind]) => kind !== "+").map(([kind, line]) => kind === "-" ? old[line] : now[line]), old);
        equal(list.filter(([kind]) => kind !== "-").map(([, line]) => now[line]), now);
        return list.filter(([kind]) => kind === " ").length;
    };
    for (let index = 0; index < 300; index++) same(lines(random(12), 5), lines(random(12), 5));
    same(lines(4000, 30), lines(4000, 30));
    const old = lines(3000, 30).map((line, index) => index % 7 ? line : "once " + index);
    equal(same(old, old.toSpliced(1000, 0, ...lines(3500, 30))), 3000);
}

async function largeGraphs() {
    const isInside = (box, outer) => box.top >= outer.top && box.bottom <= outer.bottom;
    const isSeen = block => {
        const outer = one("#graph").getBoundingClientRect(), box = graph.view.block(block).getBoundingClientRect();
        return box.left >= outer.left && box.right <= outer.right && isInside(box, outer);
    };
    // Number of panes in sight that show a line of the block under the pointer.
    const hot = () => panes.filter(({ root, scroller }) => {
        const outer = scroller.getBoundingClientRect();
        return outer.height && [...root.querySelectorAll(".codeline.hot")].some(row => isInside(row.getBoundingClientRect(), outer));
    }).length;
    const point = (block, part) => send(one(`#${part} [data-block=${block}]`), "mousemove", MouseEvent);
    await ready();
    // The whole graph is seen first, in all stages. What is brought into sight stays there when it becomes larger.
    const isWhole = () => graph.view.blocks().every(block => isSeen(block.dataset.block));
    isTrue(isWhole());
    await press("Home");
    isTrue(isWhole());
    click("#graph-pane [title^='Its own size']");
    equal(graph.view.shown, 1);
    isTrue(isSeen("b0") && !isWhole());
    graph.view.bring(graph.view.block("b100"));
    await press("+");
    isTrue(isSeen("b100") && !isWhole());
    click("#graph-pane [title^=Fit]");
    isTrue(isWhole());
    // The other panes scroll to the block under the pointer.
    point("b100", "graph");
    await until(() => hot() === 2);
    await press("End");
    const remark = one("#remarks [data-block]").dataset.block;
    point(remark, "remarks");
    await until(() => hot() === 2 && isSeen(remark));
    // Unless something is kept.
    light.keep(["0:b0"]);
    panes[0].scroller.scrollTop = 0;
    point("b100", "graph");
    await pause(2 * MOMENT);
    equal(panes[0].scroller.scrollTop, 0);
    // A wide window has a third text.
    equal(panes[2].root.clientWidth, 0);
    await look({ width: 1700, height: 900 });
    isTrue(panes[2].root.clientWidth > 200);
    await press("Escape");
    point("b200", "graph");
    await until(() => hot() === 3);
}

async function keysAndColours() {
    await ready();
    // Tab stops at one block, the arrows lead to the others, and Enter keeps one.
    const stops = () => all('#graph [tabindex="0"]').map(block => block.dataset.block).join();
    equal(stops(), "b0");
    one('#graph [tabindex="0"]').focus();
    await press("ArrowDown");
    const focused = document.activeElement.dataset.block;
    isTrue(focused && focused !== "b0");
    equal(stops(), focused);
    await press("Enter");
    await until(() => one(".codeline.kept"));
    equal(one(".tv-kept").dataset.block, focused);
    // The focus stays in the graph when the stage changes.
    await press("Home");
    equal(step(), "input");
    isTrue(document.activeElement.dataset.block);
    // These keys scroll a text that has the focus.
    panes[0].scroller.focus();
    await press("End");
    await press("ArrowRight");
    equal(step(), "input");
    // The choice of colours is kept, and the graph has it, too.
    const shades = () => [getComputedStyle(document.body).backgroundColor, getComputedStyle(one("#graph .tv-text")).fill];
    const before = shades();
    click("#theme");
    equal(keptTheme(), "light");
    equal(shades(), before);
    click("#theme");
    equal(keptTheme(), "dark");
    isTrue(shades().every((shade, index) => shade !== before[index]));
    await press("t");
    equal(keptTheme(), "auto");
    equal(shades(), before);
}

async function filesAndLinks() {
    await ready();
    // A file that is dropped is in the link, with its bytes.
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["a: b c\nb: d\nc: d\nd: ret\n"], "diamond.cfg"));
    dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    await until(() => status().startsWith("diamond.cfg"));
    await until(() => location.hash.includes("bytes="));
    equal(all("#graph [data-block]").length, 4);
    // The link alone shows the same.
    history.replaceState(null, "", location.hash);
    await readLink();
    equal(state.name, "diamond.cfg");
    // A file that is not a shader is an error, and the page can be used after it.
    file(new Uint8Array([68, 88, 66, 67, 1]), "broken.dxil");
    await until(() => message().startsWith("read:"));
    // An input without a graph does not choose the stage of the next.
    file("", "empty.dxil");
    await until(() => message() === "read: the file is empty");
    openSample("collatz.dxil");
    await until(() => one("#message").hidden);
    isTrue(graph.now > 0 && graph.now === graph.steps.length - 1);
    writeLink();
    isTrue(!location.hash.includes("step="));
    // A folder cannot be read.
    const folder = new File([], "folder");
    folder.arrayBuffer = () => Promise.reject(new DOMException("not found", "NotFoundError"));
    await openFile(folder);
    equal(message(), "folder cannot be read: not found");
    equal(byId("sample").value, "collatz.dxil");
}

/** Clicks the first line of a pane that has a text, and waits until it is kept. */
async function keepLine(number, text) {
    const index = panes[number].rows.findIndex(row => row.text.includes(text));
    panes[number].scrollTo(index);
    panes[number].list.draw(false);
    send(one(`.text-pane:nth-child(${number + 2}) [data-index="${index}"]`), "click", MouseEvent);
    await until(() => pane(number, ".kept").some(line => line.textContent.includes(text)));
}

/** The exact lines of a pane that are in sight. */
function exact(number) {
    const { top, bottom } = panes[number].scroller.getBoundingClientRect();
    return pane(number, ".exact").filter(line => {
        const box = line.getBoundingClientRect();
        return box.top >= top && box.bottom <= bottom;
    }).map(line => line.textContent).sort();
}

/** The embedded HLSL is linked by line to all other texts, in both directions. */
async function ownSource() {
    await look({ width: 1700, height: 900 });
    await ready();
    equal(panes.map((_, number) => chosen(number)), ["HLSL", "SPIR-V", "DXIL"]);
    await keepLine(0, "float falloff");
    await until(() => exact(1).some(line => line.includes("NClamp")) && exact(2).some(line => line.includes("%Saturate = ")));
    equal(exact(0).length, 1);
    equal(one("#graph .tv-kept").dataset.block, "b2");
    // Of a call that was inlined, the line of the call is another origin.
    await keepLine(1, "OpDot");
    await until(() => exact(0).join().includes("float falloff") && exact(0).join().includes("shade(Lights[i], p)"));
    await keepLine(2, "fadd fast");
    await until(() => exact(0).join().endsWith("sum += one;"));
    panes[2].buttons.get("hlsl").click();
    await keepLine(2, "float falloff = saturate(");
    await until(() => exact(0).join().includes("float falloff") && exact(1).length > 3);
    panes[2].buttons.get("pseudo_code").click();
    await until(() => exact(2).some(line => line.includes("%Saturate = ")));
    // Without a click, the other panes follow the pointer.
    await press("Escape");
    panes[1].scroller.scrollTop = 0;
    await frames();
    send(pane(0, ".codeline").find(line => line.textContent.includes("sum += one")), "mousemove", MouseEvent);
    await until(() => exact(1).some(line => line.includes("OpFAdd")));
    // Debug information is an option of the conversion. Without it, nothing is linked by line.
    const hasLines = () => panes[1].rows.some(row => row.text.includes("DebugLine"));
    isTrue(hasLines());
    enter(byId("json"), '{ "debug": { "debug_info": false } }', "input");
    await until(() => !hasLines());
    equal(chosen(0), "Pseudo-code");
    panes[0].buttons.get("source").click();
    isTrue(panes[0].rows.some(row => row.text.includes("float falloff")));
}

/** DXBC has its assembly, whose lines have the blocks of the DXIL that it is translated to. */
async function assembly() {
    await look({ width: 1700, height: 900 });
    await ready();
    equal(panes.map((_, number) => chosen(number)), ["Pseudo-code", "SPIR-V", "DXBC"]);
    isTrue(panes[2].rows.some(row => row.text === "cs_5_1"));
    await keepLine(2, "breakc_nz");
    const block = one("#graph .tv-kept").dataset.block;
    await until(() => pane(1, ".kept").some(line => line.textContent.includes(`%${block} = OpLabel`)));
    await until(() => pane(0, ".kept").length);
    panes[0].buttons.get("input").click();
    await until(() => pane(0, ".kept").length);
    await keepLine(1, "%b0 = OpLabel");
    await until(() => pane(2, ".kept").length && !pane(2, ".kept").some(line => line.textContent.includes("breakc_nz")));
    // FXC's debug information links it with the HLSL by line.
    await openSample("fxc_zi.dxbc");
    panes[0].buttons.get("source").click();
    await keepLine(0, "sum += twice(i)");
    await until(() => exact(2).length && exact(2).every(line => line.includes("r0")) && pane(1, ".kept").length);
    await keepLine(2, "store_structured");
    await until(() => exact(0).join().includes("Out[x] = sum;"));
}

/** Handles change the sizes of panes, and long lines are wrapped. */
async function sizes() {
    const size = number => panes[number].root.getBoundingClientRect();
    await ready();
    const [first, second] = [size(0), size(1)];
    const { right, top } = first;
    await drag([right, top + 200], [right - 100, top + 200]);
    isTrue(Math.abs(size(0).width - first.width + 100) < 3 && Math.abs(size(1).width - second.width - 100) < 3);
    const handle = one(".text-pane .handle");
    handle.focus();
    await press("ArrowRight");
    isTrue(Math.abs(size(0).width - first.width + 76) < 3);
    // In a narrow window the graph is above the texts.
    await look({ width: 1000, height: 800 });
    const { height } = one("#graph-pane").getBoundingClientRect(), y = size(0).top;
    await drag([300, y - 1], [300, y - 61]);
    isTrue(Math.abs(one("#graph-pane").getBoundingClientRect().height - height + 60) < 3);
    send(one(".text-pane .handle"), "dblclick", MouseEvent);
    isTrue(!byId("panes").getAttribute("style"));
    // All of a wrapped text is in sight, and a line that is found is scrolled to.
    const { scroller, rows } = panes[1], isWide = () => scroller.scrollWidth > scroller.clientWidth;
    isTrue(isWide());
    await press("w");
    isTrue(!isWide() && panes[1].lines.length > rows.length);
    const lines = pane(1, ".codeline").sort((a, b) => a.dataset.index - b.dataset.index);
    isTrue(lines.every(line => line.scrollWidth <= scroller.clientWidth));
    const last = rows.findLastIndex(row => row.text.includes("OpBranch"));
    panes[1].scrollTo(last);
    await frames();
    isTrue(pane(1, ".codeline").some(line => Number(line.dataset.index) === last));
    // Cut rows are whole again in a wider pane.
    await look({ width: 3000, height: 800 });
    await until(() => panes[1].lines.length === rows.length);
    await press("w");
    equal(panes[1].wrap.getAttribute("aria-pressed"), "false");
}

/** Files of all kinds open, also those without HLSL. */
async function kinds() {
    await ready();
    await openSample("debug_information.zi.dxil");
    const [dxil, { words }] = [state.bytes, await ask({ words: true }, state.bytes)];
    await file(fromBase64(words), "shader.spv");
    equal([message(), chosen(0), chosen(1)], ["", "HLSL", "SPIR-V"]);
    isTrue(content("#graph").includes("the input is SPIR-V"));
    await keepLine(0, "float falloff");
    await until(() => exact(1).some(line => line.includes("NClamp")));
    await file(fromBase64(words).slice(0, 36), "cut.spv");
    isTrue(message().startsWith("read: "));
    // The bitcode alone, of the last part.
    const view = new DataView(dxil.buffer);
    const part = view.getUint32(32 + 4 * (view.getUint32(28, true) - 1), true) + 8;
    await file(dxil.slice(part + 8 + view.getUint32(part + 16, true)), "shader.bc");
    equal([message(), chosen(0)], ["", "Pseudo-code"]);
    await file("a: b c\nb: d\nc: d\nd: ret\n", "graph.cfg");
    equal([message(), ...tabsOf(0).map(tab => tab.textContent)], ["", "Before", "Structure", "Input", "Result"]);
    await file("float4 main() : SV_Target { return 1; }", "shader.hlsl");
    isTrue(message().startsWith("read: "));
}

async function allShaders() {
    await ready();
    for (const { name } of data.samples) {
        await openSample(name);
        const isWhole = one("#message").hidden && state.answer.functions.every(view => view.steps.every(step => step.svg));
        if (!isWhole) throw new Error(name);
    }
}

async function openPage() {
    const form = () => [
        graph.now, byId("compare").checked, byId("target").value, ...panes.map(pane => pane.root.dataset.view),
    ].join();
    await ready();
    await isShown("collatz.dxil");
    await follow('#shader=bubble_sort.dxil&step=0&compare=1&options={"target":"vulkan1.1"}&panes=input+source');
    await isShown("bubble_sort.dxil");
    // A link of two panes leaves the third one as it is by default.
    equal(form(), "0,true,vulkan1.1,input,source,input");
    // A part that the link lacks is the default.
    await follow("#shader=fig_spaghetti.dxil");
    await isShown("fig_spaghetti.dxil");
    equal(form(), `${graph.steps.length - 1},false,vulkan1.3,hlsl,output,input`);
    // Back returns to the shader before, also to one that is too large for a link.
    await openSample("collatz.dxil");
    await isShown("collatz.dxil");
    history.back();
    await isShown("fig_spaghetti.dxil");
    await file(crypto.getRandomValues(new Uint8Array(60000)), "large.dxil");
    await until(() => location.hash.includes("name=large.dxil"));
    await openSample("collatz.dxil");
    await isShown("collatz.dxil");
    history.back();
    await until(() => state.name === "large.dxil" && state.bytes.length === 60000);
    click("#share");
    await until(() => /No link: large.dxil takes 80,\d+ characters, compressed, and a link may have 65,536/.test(status()));
    // An entry point that the shader does not have can be corrected.
    await follow("#shader=collatz.dxil&entry=elsewhere");
    await until(() => message().includes("no entry point `elsewhere`"));
    isTrue(byId("entry").offsetWidth && byId("entry").value === "elsewhere");
    enter(byId("entry"), "main", "change");
    await until(() => one("#message").hidden);
    equal(byId("entry").offsetWidth, 0);
}

async function damagedLinks() {
    // Damaged options are replaced by the defaults, and the page reports it.
    const isReported = problem => message().includes("options of the link are damaged") && message().includes(problem);
    await ready();
    await until(() => isReported("not JSON"));
    equal(byId("target").value, "vulkan1.3");
    await until(() => location.hash && !location.hash.includes("options"));
    for (const [options, problem] of [
        ["null", "the options are null, which is not an object"],
        ["5", "the options are 5"],
        ["[]", "the options are []"],
        ['{"structurizer":null}', "`structurizer` is null"],
        ['{"structurizer":5}', "`structurizer` is 5"],
        ['{"structurizer":{"stages":1}}', "`stages` is 1"],
        ['{"target":"nowhere"}', 'there is no target "nowhere"'],
    ]) {
        await follow(`#shader=collatz.dxil&options=${options}`);
        await until(() => isReported(problem));
        equal(byId("target").value, "vulkan1.3");
    }
    // The engine checks the names of stages. The note about the link is removed by the next change.
    await follow('#shader=collatz.dxil&options={"structurizer":{"stages":{"no":false}}}');
    await until(() => problem().startsWith("the options: "));
    click("#reset");
    await until(() => !problem() && !message());
    // The same in the form.
    enter(byId("json"), '{"structurizer":5}', "change");
    isTrue(problem().includes("`structurizer` is 5"));
    click("#reset");
    // A shader that is damaged or missing is not replaced by another.
    for (const [link, problem] of [
        ["#bytes=!!!!", "The shader of the link is damaged"],
        ["#bytes=AAAA", "The shader of the link is damaged"],
        ["#name=x&bytes=abc", "The shader of the link is damaged"],
        ["#name=x", "x is too large for a link"],
        ["#shader=nowhere.dxil", "There is no shader nowhere.dxil"],
    ]) {
        await follow(link);
        await until(() => message().includes(problem));
        equal(shown(), ",,");
        isTrue(!one("#graph svg, .codeline span"));
        // The link is still there, to be corrected.
        equal(location.hash, link);
    }
    await openSample("collatz.dxil");
    await isShown("collatz.dxil");
}

async function orderOfShaders() {
    await ready();
    // The first of two is read last; it is not shown.
    let arrive;
    const first = load("late.cfg", () => new Promise(done => { arrive = done; }));
    await openSample("bubble_sort.dxil");
    arrive({ bytes: new TextEncoder().encode("a: ret\n") });
    await first;
    await isShown("bubble_sort.dxil");
    // A link that is followed while another shader is read is shown.
    void load("late.cfg", () => new Promise(done => setTimeout(done, 50, { bytes: new Uint8Array(3) })));
    await follow("#shader=fig_spaghetti.dxil");
    await isShown("fig_spaghetti.dxil");
    await pause(100);
    await isShown("fig_spaghetti.dxil");
}

/** The page as a server sends it; the answers of the server are made here. */
async function server() {
    const answer = (status, body) => { globalThis.fetch = async () => new Response(body, { status }); };
    await ready();
    await isShown("collatz.dxil");
    data.engine = "server";
    answer(500, "collatz.dxil: no such file\n");
    await openSample("bubble_sort.dxil");
    equal(message(), "bubble_sort.dxil: collatz.dxil: no such file");
    equal(shown(), "collatz.dxil,collatz.dxil,collatz.dxil");
    answer(413, "the shader is too large\n");
    await file("x", "x.dxil");
    equal(message(), "the shader is too large");
    answer(500, "a panic\n");
    await run();
    isTrue(message().startsWith("This is a bug") && message().endsWith("a panic"));
    globalThis.fetch = () => Promise.reject(new TypeError("Failed to fetch"));
    for (const act of [() => run(), () => openSample("bubble_sort.dxil")]) {
        await act();
        isTrue(message().includes("The server does not answer"));
        equal(byId("sample").value, "");
    }
}

/** The explorer in the book: it converts there. */
async function inTheBook() {
    await until(() => isReady() && one("#graph svg"));
    equal(message(), "");
    const list = byId("sample"), last = [...list.options].at(-1);
    enter(list, last.value, "change");
    await until(() => status().startsWith(last.textContent.trim()));
}

/** The page of one shader, without an engine. */
async function oneShader() {
    await until(() => document.title === "fig_nested_returns.dxil: control flow");
    // The link has the stage; the keys lead to the others.
    equal([step(), graph.now], [graph.steps[1].stage, 1]);
    await press("ArrowRight");
    isTrue(location.hash.includes("step=2"));
    isTrue(all("#remarks button").length > 3);
    send(one("#graph [data-block=b2]"), "click", MouseEvent);
    isTrue(pane(0, ".codeline.kept").length > 2);
    // There is nothing to convert with, and no text that only an engine makes.
    equal(tabsOf(0).map(button => button.textContent), ["Before", "Structure"]);
    equal(all("header :is(button, select, input), form").length, 2);
}

/** Each check by its page and the fragment at which it begins. */
const checks = {
    corpus: [
        [overview, ""],
        [sorting, "#view=shaders"],
        [filters, "#view=shaders"],
        [keyboard, ""],
        [details, "#view=shaders&query=debug_information.zi.dxil"],
        [failures, "#view=failures"],
        [address, "#view=shaders&query=waves&sort=time&down=1"],
        [colours, ""],
        [roles, "#view=shaders"],
        [graphs, "#view=shaders&query=else_if_ladder_effects"],
        [missingParts, "#view=shaders&query=vectors/longest.dxil"],
        [narrow, "#view=shaders&query=fig_spaghetti.dxil"],
        [paper, "#view=shaders&query=control_flow/"],
        [wrongAddresses, "#view=shaders&sort=__proto__&constructor=1"],
        [structure, "#view=structure"],
        [links, ""],
    ],
    two: [[quantiles, ""]],
    many: [[wayBack, "#view=shaders"], [commands, "#shader=0"], [longPaper, "#view=shaders"], [speed, "#view=shaders"]],
    explorer: [
        [stagesAndBlocks, "#shader=fig_spaghetti.dxil"],
        [options, "#shader=fig_spaghetti.dxil"],
        [filesAndLinks, ""],
        // A stage that removes a few of many blocks, so that most ids have other numbers.
        [comparison, '#shader=path_tracer.dxil&compare=1&options={"structurizer":{"stages":{"empty-blocks":false}}}'],
        [largeGraphs, "#shader=path_tracer.dxil&panes=pseudo_code+output"],
        [keysAndColours, "#shader=fig_spaghetti.dxil"],
        [openPage, "#shader=collatz.dxil"],
        [damagedLinks, "#shader=collatz.dxil&options={"],
        [orderOfShaders, "#shader=collatz.dxil"],
        [server, "#shader=collatz.dxil"],
        [ownSource, "#shader=debug_information.zi.dxil"],
        [assembly, "#shader=bubble_sort.dxbc"],
        [sizes, "#shader=fig_spaghetti.dxil"],
        [kinds, "#shader=collatz.dxil"],
        [allShaders, ""],
    ],
    cfg: [[oneShader, "#step=1"]],
    book: [[inTheBook, ""]],
};

/** A shader's page is there when its details are read. */
const drawn = () => until(() => !one(".shader") || one("#graph svg"));

/** The pictures of the documentation: the page, the colours, the size, the fragment, the actions before it. */
const pictures = {
    "batch-overview": ["corpus", "light", 1280, 760, "", drawn],
    "batch-shaders": ["corpus", "dark", 1280, 760, "#view=shaders&sort=structure&down=1", drawn],
    "batch-failures": ["corpus", "light", 1280, 760, "#view=failures", drawn],
    "batch-shader": ["corpus", "light", 1280, 760, "#view=shaders&query=fig_nested_returns.dxil", async () => {
        await openOnly();
        await drawn();
    }],
    "explorer": ["explorer", "light", 1440, 860, "#shader=debug_information.zi.dxil", async () => {
        await ready();
        await keepLine(0, "float falloff");
    }],
    "explorer-options": ["explorer", "dark", 1440, 860, "#shader=fig_spaghetti.dxil&panes=pseudo_code+output", async () => {
        await ready();
        click("#show-options");
        click("#compare");
        for (const stage of ["conditions", "loop-ends", "switch-order"]) click(`#stages input[name=${stage}]`);
        await until(() => one(".codeline.added"));
    }],
};
