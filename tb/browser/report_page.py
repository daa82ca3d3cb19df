#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens report.html in headless Chromium and uses it: charts are drawn, zoom works by mouse and by
keyboard, tables sort, every control is reached by keyboard, it is legible on paper and without colour,
the console stays empty, no request is sent. Then the page of two runs compared.

  report_page.py PAGE [--screenshot FILE.png [--dark | --paper]]
  report_page.py --run WEIR SCENARIO.toml [--stamps FOLDER]      the page of this run, and of it against another one
"""
import argparse
import pathlib
import subprocess

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from pages import check, check_keyboard, check_looks, check_paper, on_page, take_screenshot, use_once


def painted(browser):
    """Pixels of the charts' canvases that are not empty."""
    return browser.execute_script('''
      return [...document.querySelectorAll('.chart canvas')].map((canvas) => {
        const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
        let sum = 0;
        for (let i = 3; i < data.length; i += 4) sum += data[i] !== 0;
        return sum;
      });''')


def window(browser):
    start, end = browser.execute_script('return window.weirReport.zoom()')
    return start, end


def width(browser):
    start, end = window(browser)
    return end - start


def check_zoom(browser):
    charts = browser.find_elements(By.CSS_SELECTOR, '.chart')
    check(browser.execute_script('return window.weirReport.charts()') == len(charts) and charts,
          'a chart for every place of one')
    check(sum(count > 200 for count in painted(browser)) >= 2 * len(charts), 'charts are drawn')
    whole = width(browser)
    ActionChains(browser).move_to_element_with_offset(charts[0], -150, -40).click_and_hold() \
        .move_by_offset(300, 0).release().perform()
    dragged = width(browser)
    check(0 < dragged < 0.6 * whole, f'dragging zooms: {dragged} of {whole}')
    charts[-1].send_keys('+')
    check(abs(width(browser) - dragged / 2) < 0.05 * dragged, 'plus zooms in')
    before = window(browser)
    charts[-1].send_keys(Keys.ARROW_RIGHT)
    check(window(browser)[0] > before[0], 'the right arrow moves on')
    charts[0].send_keys(Keys.HOME)
    check(abs(width(browser) - whole) < 1e-6, 'Home shows all')
    button = browser.find_element(By.CSS_SELECTOR, '[data-zoom=in]')
    button.send_keys(Keys.ENTER)
    check(abs(width(browser) - whole / 2) < 0.01 * whole, 'the button zooms, by keyboard')
    shown = 'return document.querySelector(".window").textContent'
    check(' to ' in browser.execute_script(shown), 'the text says which part is shown')
    browser.find_element(By.CSS_SELECTOR, '[data-zoom=all]').click()
    check(browser.execute_script(shown) == 'the whole run', 'or that it is the whole run')


def check_choice(browser):
    for element in browser.find_elements(By.CSS_SELECTOR, '.controls select'):
        choice = Select(element)
        if len(choice.options) < 2:
            continue
        before = browser.get_screenshot_as_base64()
        choice.select_by_index(len(choice.options) - 1)
        browser.execute_script('arguments[0].scrollIntoView()', element)
        check(browser.get_screenshot_as_base64() != before, 'another choice shows another chart')
        choice.select_by_index(0)


def check_tables(browser):
    for table in browser.find_elements(By.CSS_SELECTOR, 'table.sorts'):
        heads = table.find_elements(By.CSS_SELECTOR, 'th')
        column = len(heads) - 1
        while not browser.execute_script(
                "return 'v' in arguments[0].tBodies[0].rows[0].cells[arguments[1]].dataset",
                table, column):
            column -= 1
        values = '''return [...arguments[0].tBodies[0].rows]
                           .map((row) => Number(row.cells[arguments[1]].dataset.v));'''
        before = browser.execute_script(values, table, column)
        for order in ('descending', 'ascending'):
            heads[column].find_element(By.TAG_NAME, 'button').send_keys(Keys.ENTER)
            after = browser.execute_script(values, table, column)
            check(after == sorted(before, reverse=order == 'descending'), f'a head sorts {order}')
            check(heads[column].get_attribute('aria-sort') == order, 'the head says so')


def check_parts(browser):
    """Every section exists and its link leads to it; drawings have a text description."""
    missing = browser.execute_script("""
      return [...document.querySelectorAll('nav a')].map((a) => a.hash)
          .filter((hash) => !document.querySelector('h2' + hash));""")
    check(not missing, f'links lead to sections: {missing}')
    headings = browser.execute_script(
        "return [...document.querySelectorAll('h2')].map((h) => h.id)")
    for name in ('verdicts', 'occupancy', 'pauses', 'propagation', 'drops', 'events', 'latency',
                 'headroom', 'counters', 'configuration'):
        check(name in headings, f'there is a section {name}')
    unnamed = browser.execute_script(
        "return document.querySelectorAll('svg:not([aria-label]):not([aria-hidden])').length")
    check(unnamed == 0, 'every drawing has a name')
    bars = browser.execute_script("""
      return [...document.querySelectorAll('svg')]
          .filter((svg) => /packets/.test(svg.getAttribute('aria-label') || ''))
          .map((svg) => svg.querySelectorAll('.bar').length);""")
    check(len(bars) == 3 and max(bars) > 4, f'latency has histograms: {bars}')
    cut_off = browser.execute_script("""
      return [...document.querySelectorAll('svg[viewBox] text')].filter((text) => {
        const box = text.getBBox(), view = text.ownerSVGElement.viewBox.baseVal;
        return box.x < view.x || view.x + view.width < box.x + box.width ||
               box.y < view.y || view.y + view.height < box.y + box.height;
      }).map((text) => text.textContent);""")
    check(not cut_off, f'no text ends outside its drawing: {cut_off}')
    dashes = browser.execute_script("""
      return [...document.querySelectorAll('.key')].map((key) =>
          [...key.querySelectorAll('path')].map((path) => path.getAttribute('stroke-dasharray')));""")
    check(dashes and all(len(set(lines)) == len(lines) for lines in dashes),
          f'lines differ without colour: {dashes}')


def check_picture(browser):
    """Of who paused whom: no text lies on another, nor on the box of another."""
    overlaps = browser.execute_script("""
      const svg = document.querySelector('svg[aria-label="Who paused whom"]');
      if (!svg) return ['there is no picture'];
      const boxes = [...svg.querySelectorAll('text')].map((text) => [text, text.getBBox()]);
      for (const box of svg.querySelectorAll('rect')) boxes.push([box, box.getBBox()]);
      const inside = (a, b) => a.parentElement === b.parentElement && a.parentElement.localName === 'g';
      const found = [];
      for (let i = 0; i < boxes.length; ++i)
        for (let k = i + 1; k < boxes.length; ++k) {
          const [one, a] = boxes[i], [other, b] = boxes[k];
          if (inside(one, other) && (one.localName === 'rect' || other.localName === 'rect')) continue;
          if (a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height &&
              b.y < a.y + a.height) found.push(one.textContent + ' / ' + other.textContent);
        }
      return found;""")
    check(not overlaps, f'nothing lies on another thing: {overlaps}')


def check_units(browser):
    """The switch shows bytes in place of cells in every chart."""
    labels = """return [...document.querySelectorAll('.dygraph-axis-label-y')]
                    .map((label) => label.textContent).filter((text) => text !== '0');"""
    unit = browser.find_element(By.CSS_SELECTOR, '[data-unit]')
    check(not any('B' in text for text in browser.execute_script(labels)), 'cells at first')
    unit.click()
    shown = browser.execute_script(labels)
    check(shown and all('B' in text for text in shown), f'bytes then: {shown}')
    unit.click()


def check_comparison(browser):
    check(browser.execute_script('return window.weirReport.charts()') == 2, 'two charts of two runs')
    keys = browser.execute_script(
        "return [...document.querySelectorAll('.key')].map((key) => key.textContent.trim())")
    check(all('of A' in key and 'of B' in key for key in keys), f'both runs in each: {keys}')
    check_zoom(browser)
    check_choice(browser)


def make(program, scenario, folder):
    """The page of a run, and of it against another one."""
    out, other, both = f'{folder}/out', f'{folder}/other', f'{folder}/both.html'
    subprocess.run([program, 'run', scenario, '--quiet', '--out', out], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, 'run', scenario, '--quiet', '--until', '1 ms', '--out', other],
                   check=False, stdout=subprocess.DEVNULL)  # its checks need the whole run
    subprocess.run([program, 'compare', out, other, '--html', both], check=True, stdout=subprocess.DEVNULL)
    return [pathlib.Path(out, 'report.html'), pathlib.Path(both)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('page', nargs='?', type=pathlib.Path)
    parser.add_argument('--run', nargs=2, metavar=('WEIR', 'SCENARIO'))
    parser.add_argument('--stamps', type=pathlib.Path, help='of --run: used only where the pages are new')
    parser.add_argument('--screenshot')
    parser.add_argument('--dark', action='store_true', help='of the screenshot')
    parser.add_argument('--paper', action='store_true', help='of the screenshot')
    arguments = parser.parse_args()

    def use(browser):
        if arguments.screenshot:
            take_screenshot(browser, arguments.screenshot, arguments.dark, 2300, arguments.paper)
            return
        check_parts(browser)
        check_picture(browser)
        check_units(browser)
        check_zoom(browser)
        check_choice(browser)
        check_tables(browser)
        check_keyboard(browser)
        check_looks(browser)
        check_paper(browser)

    def use_both(pages):
        on_page(pages[0], use)
        on_page(pages[1], check_comparison)

    if arguments.run:
        use_once(arguments.stamps, 'report_page', lambda folder: make(*arguments.run, folder), use_both)
    else:
        on_page(arguments.page, use)


main()
