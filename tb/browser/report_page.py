#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens report.html in headless Chromium and uses it: charts are drawn, zoom works by mouse and by
keyboard, tables sort, nothing is written to the console, no request leaves.

  report_page.py PAGE [--screenshot FILE.png [--dark]]
  report_page.py --run WEIR SCENARIO.toml      the page of this run
"""
import argparse
import pathlib
import subprocess
import tempfile

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

from pages import check, check_looks, on_page, take_screenshot

def painted(browser):
    """Pixels of the charts' canvases that hold something."""
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
    browser.find_element(By.CSS_SELECTOR, '[data-zoom=all]').click()


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


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('page', nargs='?', type=pathlib.Path)
    parser.add_argument('--run', nargs=2, metavar=('WEIR', 'SCENARIO'))
    parser.add_argument('--screenshot')
    parser.add_argument('--dark', action='store_true', help='of the screenshot')
    arguments = parser.parse_args()

    def use(browser):
        if arguments.screenshot:
            take_screenshot(browser, arguments.screenshot, arguments.dark, 2300)
            return
        check_zoom(browser)
        check_choice(browser)
        check_tables(browser)
        check_looks(browser)

    with tempfile.TemporaryDirectory() as scratch:
        if arguments.run:
            program, scenario = arguments.run
            subprocess.run([program, 'run', scenario, '--quiet', '--out', f'{scratch}/out'],
                           check=True, stdout=subprocess.DEVNULL)
            arguments.page = pathlib.Path(scratch, 'out', 'report.html')
        on_page(arguments.page, use)


main()
