"""Checks the pages of `trellis batch --html`, of `trellis cfg`, of the explorer and of the book in a headless Chromium.

A page is opened from a file and used with keys and clicks (`checks.js`). Any request, exception or message on the
console is a failure. The page of 10,000 shaders has limits of time.
"""

import argparse
import asyncio
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from playwright.async_api import async_playwright

ROOT = Path(__file__).resolve().parents[2]
CHECKS = (Path(__file__).parent / "checks.js").read_text()
BROWSERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
# Of the explorer: bytes, as a server compresses it, and milliseconds.
MAX_SIZE, MAX_TIME = 3 << 20, 1000
# As in checks.js: in a file system, a folder and a file.
HOSTILE = "</script><img src=x onerror=alert(1)>.dxil"


def trellis():
    """Returns the path of the command, which is compiled if TRELLIS_PROGRAM does not name one."""
    if program := os.environ.get("TRELLIS_PROGRAM"):
        return program
    command = ["cargo", "build", "--quiet", "--bin", "trellis", "--message-format", "json"]
    messages = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    programs = (json.loads(line).get("executable") for line in messages.splitlines())
    return next(program for program in programs if program)


def make_corpus(folder, page):
    """Makes the page of the corpus for a version of SPIR-V that lacks something, so that there are failures."""
    shaders = "corpus/shaders"
    (folder / "corpus").symlink_to(ROOT / "corpus")
    good = (folder / shaders / "control_flow/fig_nested_returns.dxil").read_bytes()
    for name, size in {"truncated.dxil": 60, "half.dxil": len(good) // 2, HOSTILE: 20}.items():
        path = folder / "captured" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(good[:size])
    # One cause of failures is enough of most ray tracing shaders.
    options = ["--exclude", "raytracing/[a-r]*", "--target", "vulkan1.1", "-o", "out", "--html", page, "--details", "all"]
    batch = subprocess.run([trellis(), "batch", shaders, "captured", *options], cwd=folder, capture_output=True, text=True)
    if batch.returncode != 1:
        sys.exit(f"the batch ended with {batch.returncode}: {batch.stderr}")


def make_synthetic(corpus, count, page):
    """Makes a page of so many shaders without details, out of the converted and failed shaders of another page."""
    text = re.sub(r'<script type="text/plain" id="detail-.*?</script>', "", corpus.read_text(), flags=re.S)
    start, data, end = re.fullmatch(r'(.*<script[^>]* id="data">)(.*?)(</script>.*)', text, re.S).groups()
    data = json.loads(data)
    shaders = data["shaders"]
    rows = [number % len(shaders["input"]) for number in range(count)]
    for name, column in shaders.items():
        if isinstance(column, dict):
            column = {number: column[str(row)] for number, row in enumerate(rows) if str(row) in column}
        elif name in ("cached", "unreadable"):
            column = [number for number, row in enumerate(rows) if row in column]
        elif column:
            column = [column[row] for row in rows]
        shaders[name] = column
    shaders["status"] = "".join(shaders["status"])
    shaders["time"] = [number * 7919 % 10007 for number in range(count)]
    shaders["input"] = [f"pass_{number % 40}/{number}_{name}" for number, name in enumerate(shaders["input"])]
    # A name that is wider than the page, and an argument that needs quotes.
    shaders["output"][0] = "n" * 245
    data["options"] = ["--target", "vulkan1.1", "--shift", "srv=1 2"]
    page.write_text(start + json.dumps(data).replace("<", "\\u003c") + end)


def make_pages(folder):
    """Returns the pages by name; of the explorer and the book those that can be made."""
    names = ["corpus", "two", "many", "explorer"]
    pages = {name: folder / f"{name}.html" for name in names}
    make_corpus(folder, pages["corpus"])
    make_synthetic(pages["corpus"], 2, pages["two"])
    make_synthetic(pages["corpus"], 10_000, pages["many"])
    pages["cfg"] = folder / "cfg/index.html"
    shader = "corpus/shaders/control_flow/fig_nested_returns.dxil"
    subprocess.run([trellis(), "cfg", shader, "-o", pages["cfg"].parent], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    # These print what they lack, if anything.
    subprocess.run([*os.environ.get("TRELLIS_XTASK", "cargo xtask").split(), "explorer", "--output", pages["explorer"]], cwd=ROOT, check=True)
    pages["book"] = folder / "book/explorer.html"
    subprocess.run(["bash", "xtask/scripts/book.sh", pages["book"].parent], cwd=ROOT, check=True)
    return {name: page for name, page in pages.items() if page.exists()}


class Driver:
    """A page of the browser, what it reported, and what it requested in addition to documents."""

    def __init__(self, page):
        self.page, self.session, self.problems, self.requests = page, None, [], []
        page.on("pageerror", lambda error: self.problems.append(f"exception: {error}"))
        page.on("console", lambda message: self.problems.append(f"console: {message.text}"))
        page.on("request", self.note)

    def note(self, request):
        if request.resource_type != "document":
            self.requests.append(request.url)

    async def call(self, action, argument=None):
        """An action of a check."""
        if action == "press":
            await self.page.keyboard.press(argument)
        elif action == "write":
            await self.page.keyboard.insert_text(argument)
        elif action == "look":
            if "width" in argument:
                await self.page.set_viewport_size({"width": argument["width"], "height": argument["height"]})
            await self.page.emulate_media(color_scheme=argument.get("scheme"), media=argument.get("medium"))
        elif action == "drag":
            await self.page.mouse.move(*argument[:2])
            await self.page.mouse.down()
            await self.page.mouse.move(*argument[2:], steps=5)
            await self.page.mouse.up()
        elif action == "print":
            await self.page.pdf()
        elif action == "work":
            if not self.session:
                self.session = await self.page.context.new_cdp_session(self.page)
                # Time of the processor, which does not count while other programs run.
                await self.session.send("Performance.enable", {"timeDomain": "threadTicks"})
            metrics = (await self.session.send("Performance.getMetrics"))["metrics"]
            return next(metric["value"] for metric in metrics if metric["name"] == "TaskDuration")
        return None

    async def evaluate(self, expression):
        """Evaluates an expression about checks.js in the page, or in its frame if it has one."""
        return await self.page.frames[-1].evaluate(f"async () => {{ {CHECKS}\nreturn {expression}; }}")


async def opened(browser, page=None, fragment="", width=1440, height=900, scheme="light"):
    """Opens a page in a window of a new profile."""
    size = {"width": width, "height": height}
    context = await browser.new_context(viewport=size, color_scheme=scheme, bypass_csp=True)
    driver = Driver(await context.new_page())
    await driver.page.expose_function("drive", driver.call)
    if page:
        await driver.page.goto(f"file://{page}{fragment}")
    return driver


async def check(browser, pages, number, name, kind, fragment):
    driver = await opened(browser, pages[kind], fragment)
    try:
        note = await asyncio.wait_for(driver.evaluate(f"checks.{kind}[{number}][0]()"), 300)
        allowed = f"file://{pages[kind].parent}/" if kind == "book" else "data:"
        problems = driver.problems + [f"it requests {url}" for url in driver.requests if not url.startswith(allowed)]
        if problems:
            raise RuntimeError("; ".join(problems))
        print(f"{kind}, {name}: ok {note or ''}", flush=True)
        return True
    except Exception as error:  # Every failure of a check is reported, and the others run.
        print(f"{kind}, {name}: {error}", file=sys.stderr)
        return False
    finally:
        await driver.page.context.close()


async def first_result(browser, page):
    """Checks the compressed size of the explorer, and the time from its opening to a result: the least of three,
    as other programs run."""
    size, times = len(gzip.compress(page.read_bytes())), []
    for _ in range(3):
        driver = await opened(browser, page)
        ready = await driver.page.wait_for_function("document.documentElement.dataset.ready")
        times.append(int(await ready.json_value()))
        await driver.page.context.close()
    is_good = size <= MAX_SIZE and min(times) <= MAX_TIME
    print(f"explorer, first result: {size} bytes compressed, {min(times)} ms", file=sys.stdout if is_good else sys.stderr)
    return is_good


async def run(program, folder, arguments):
    pages = make_pages(folder)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        blank = await opened(browser)
        if arguments.screenshots:
            pictures = await blank.evaluate("Object.entries(pictures).map(([name, list]) => [name, ...list.slice(0, 5)])")
            for name, kind, scheme, width, height, fragment in pictures:
                driver = await opened(browser, pages[kind], fragment, width, height, scheme)
                await driver.evaluate(f"pictures['{name}'][5]().then(frames)")
                await driver.page.screenshot(path=ROOT / f"docs/images/{name}.png")
            return True
        def is_chosen(_, name, kind, __):
            return kind in pages and (not arguments.only or name in arguments.only)

        listed = await blank.evaluate(
            "Object.entries(checks).flatMap(([kind, list]) => list.map(([run, at], i) => [i, run.name, kind, at]))"
        )
        results = [await check(browser, pages, *entry) for entry in listed if is_chosen(*entry)]
        if is_chosen(0, "first_result", "explorer", ""):
            results.append(await first_result(browser, pages["explorer"]))
        return all(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("only", nargs="*", help="names of checks, such as `sorting` (default: all)")
    parser.add_argument("--browser", help="Chromium, or one made of it (default: the first that is installed)")
    parser.add_argument("--screenshots", action="store_true", help="write the documentation's pictures, and check nothing")
    parser.add_argument("--keep", type=Path, help="a new folder for the pages")
    arguments = parser.parse_args()
    program = arguments.browser or next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        print("skipped: no browser (chromium) is installed; --browser PATH chooses one")
        return 0
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.keep or Path(temporary)).resolve()
        folder.mkdir(exist_ok=True)
        return 0 if asyncio.run(run(program, folder, arguments)) else 1


sys.exit(main())
