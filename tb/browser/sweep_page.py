#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens the page of a sweep, of several, or of a search for a size in headless Chromium and uses it:
charts are drawn inside their frames, links lead to rows, tables sort, filters hide rows, the console
stays empty, no request is sent.

  sweep_page.py PAGE [--screenshot FILE.png [--dark] [--height N]]
  sweep_page.py --make WEIR SWEEP.toml SIZE.toml    the page of the sweep with that of the search
"""
import argparse
import pathlib
import subprocess

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from pages import check, check_looks, on_page, take_screenshot, use_once


def check_charts(browser):
    charts = browser.execute_script('''
      return [...document.querySelectorAll('figure svg')].map((svg) => {
        const frame = svg.getBoundingClientRect();
        const marks = [...svg.querySelectorAll('text, rect, path, circle')];
        const outside = marks.filter((mark) => {
          const box = mark.getBoundingClientRect();
          return box.left < frame.left - 1 || frame.right + 1 < box.right ||
                 box.top < frame.top - 1 || frame.bottom + 1 < box.bottom;
        });
        return {name: svg.getAttribute('aria-label'), width: frame.width, marks: marks.length,
                painted: svg.querySelectorAll('.member, .field, .none, .bar').length,
                outside: outside.map((mark) => mark.textContent)};
      });''')
    check(charts, 'there are charts')
    for chart in charts:
        check(chart['width'] > 100 and chart['marks'] > 2, f'a chart is drawn: {chart}')
        check(chart['painted'] > 0, f'a chart shows something: {chart}')
        check(not chart['outside'], f'nothing of a chart lies outside of it: {chart}')


def check_links(browser):
    broken = browser.execute_script('''
      return [...document.querySelectorAll('a[href], svg a')].map((a) => a.getAttribute('href'))
        .filter((to) => !to.startsWith('#') || !document.getElementById(to.slice(1)));''')
    check(not broken, f'every link leads somewhere: {broken[:5]}')
    ids = browser.execute_script("return [...document.querySelectorAll('[id]')].map((e) => e.id)")
    check(len(ids) == len(set(ids)), 'no two things have one name')
    mark = browser.find_element(By.CSS_SELECTOR, 'figure svg a')
    browser.execute_script('arguments[0].focus()', mark)
    mark.send_keys(Keys.ENTER)
    row = mark.get_attribute('href')
    row = row if isinstance(row, str) else mark.get_dom_attribute('href')
    check(browser.execute_script('return location.hash') == '#' + row.split('#')[1],
          'a mark of the front leads to its row, by keyboard')


def check_tables(browser):
    values = '''return [...arguments[0].tBodies[0].rows]
                       .map((row) => Number(row.cells[arguments[1]].dataset.v));'''
    for table in browser.find_elements(By.CSS_SELECTOR, 'table[id$=all]'):
        heads = table.find_elements(By.TAG_NAME, 'th')
        column = len(heads) - 1
        for order in ('ascending', 'descending'):
            heads[column].find_element(By.TAG_NAME, 'button').send_keys(Keys.ENTER)
            check(heads[column].get_attribute('aria-sort') == order, 'the head says so')
            after = browser.execute_script(values, table, column)
            check(after == sorted(after, reverse=order == 'descending'), f'a head sorts {order}')


def check_filter(browser):
    shown = '''return [...document.getElementById(arguments[0]).tBodies[0].rows]
                      .filter((row) => !row.hidden).length;'''
    fields = browser.find_elements(By.CSS_SELECTOR, 'input[data-table]')
    check(fields, 'there is a filter')
    for field in fields:
        table = field.get_dom_attribute('data-table')
        rows = browser.execute_script(shown, table)
        field.send_keys('no such words')
        check(browser.execute_script(shown, table) == 0, 'a filter hides')
        field.clear()
        field.send_keys(' ')
        check(browser.execute_script(shown, table) == rows, 'and shows again')


def make(arguments, folder):
    program, sweep, size = arguments
    for command, file in (('sweep', sweep), ('size', size)):
        subprocess.run([program, command, file, '--quiet', '--out', f'{folder}/{command}'],
                       check=True, stdout=subprocess.DEVNULL)
    page = pathlib.Path(folder, 'page.html')
    subprocess.run([program, 'report', f'{folder}/sweep', f'{folder}/size', '--out', page],
                   check=True, stdout=subprocess.DEVNULL)
    return [page]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('page', nargs='?', type=pathlib.Path)
    parser.add_argument('--make', nargs=3, metavar=('WEIR', 'SWEEP', 'SIZE'))
    parser.add_argument('--stamps', type=pathlib.Path, help='of --make: used only where the page is new')
    parser.add_argument('--screenshot')
    parser.add_argument('--dark', action='store_true', help='of the screenshot')
    parser.add_argument('--height', type=int, default=2300, help='of the screenshot')
    arguments = parser.parse_args()

    def use(browser):
        if arguments.screenshot:
            take_screenshot(browser, arguments.screenshot, arguments.dark, arguments.height)
            return
        check_charts(browser)
        check_links(browser)
        check_tables(browser)
        check_filter(browser)
        check_looks(browser)

    if arguments.make:
        use_once(arguments.stamps, 'sweep_page', lambda folder: make(arguments.make, folder),
                 lambda pages: on_page(pages[0], use))
    else:
        on_page(arguments.page, use)


main()
