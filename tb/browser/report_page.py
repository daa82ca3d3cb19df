#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Opens report.html in headless Chromium and uses it: charts are drawn, zoom works by mouse and by
keyboard, tables sort, nothing is written to the console, no request leaves.

  report_page.py PAGE [--screenshot FILE.png [--dark]]
  report_page.py --run WEIR SCENARIO.toml      the page of this run
"""
import argparse
import base64
import json
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.ui import Select

CHECKS = 0


def check(good, what):
    global CHECKS
    CHECKS += 1
    if not good:
        sys.exit(f'report_page: FAILED: {what}')


def open_browser(profile):
    options = webdriver.ChromeOptions()
    for argument in ('--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage',
                     '--disable-background-networking', '--disable-component-update',
                     '--host-resolver-rules=MAP * ~NOTFOUND', '--window-size=1360,1000',
                     '--force-device-scale-factor=1', f'--user-data-dir={profile}'):
        options.add_argument(argument)
    options.binary_location = '/usr/bin/chromium'
    options.set_capability('goog:loggingPrefs', {'browser': 'ALL', 'performance': 'ALL'})
    return webdriver.Chrome(service=Service('/usr/bin/chromedriver'), options=options)


def use_scheme(browser, scheme):
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia',
                            {'features': [{'name': 'prefers-color-scheme', 'value': scheme}]})


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


def contrast(browser):
    """Of text on the page, by WCAG."""
    def luminance(colour):
        parts = [int(part) / 255 for part in colour[colour.index('(') + 1:-1].split(',')[:3]]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    style = 'const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]'
    light, dark = sorted((luminance(c) for c in browser.execute_script(style)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


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


def check_looks(browser):
    for scheme in ('light', 'dark'):
        use_scheme(browser, scheme)
        check(contrast(browser) >= 7, f'text stands out: {contrast(browser):.1f} ({scheme})')
    use_scheme(browser, 'light')
    pdf = base64.b64decode(browser.execute_cdp_cmd('Page.printToPDF', {})['data'])
    check(pdf.startswith(b'%PDF') and len(pdf) > 20_000, 'it prints')


def check_logs(browser):
    errors = [entry['message'] for entry in browser.get_log('browser')]
    check(not errors, f'the console is silent: {errors}')
    for entry in browser.get_log('performance'):
        message = json.loads(entry['message'])['message']
        if message['method'] == 'Network.requestWillBeSent':
            url = message['params']['request']['url']
            check(url.startswith(('file:', 'data:')), f'no request leaves: {url[:100]}')


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('page', nargs='?', type=pathlib.Path)
    parser.add_argument('--run', nargs=2, metavar=('WEIR', 'SCENARIO'))
    parser.add_argument('--screenshot')
    parser.add_argument('--dark', action='store_true', help='of the screenshot')
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        if arguments.run:
            program, scenario = arguments.run
            subprocess.run([program, 'run', scenario, '--quiet', '--out', f'{scratch}/out'],
                           check=True, stdout=subprocess.DEVNULL)
            arguments.page = pathlib.Path(scratch, 'out', 'report.html')
        browser = open_browser(f'{scratch}/profile')
        try:
            browser.get('about:blank')
            browser.get_log('performance')  # the browser's own first page
            browser.get(arguments.page.resolve().as_uri())
            if arguments.screenshot:
                use_scheme(browser, 'dark' if arguments.dark else 'light')
                browser.set_window_size(1360, 2300)
                browser.save_screenshot(arguments.screenshot)
                return
            check_zoom(browser)
            check_choice(browser)
            check_tables(browser)
            check_looks(browser)
            check_logs(browser)
        finally:
            browser.quit()
    print(f'report_page: {CHECKS} checks good')


main()
