# SPDX-License-Identifier: Apache-2.0
"""What the checks of all pages share: headless Chromium that reaches nothing, and what every page owes."""
import base64
import json
import pathlib
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

CHECKS = 0


def check(good, what):
    global CHECKS
    CHECKS += 1
    if not good:
        sys.exit(f'{sys.argv[0]}: FAILED: {what}')


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


def contrast(browser):
    """Of text on the page, by WCAG."""
    def luminance(colour):
        parts = [int(part) / 255 for part in colour[colour.index('(') + 1:-1].split(',')[:3]]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    style = 'const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]'
    light, dark = sorted((luminance(c) for c in browser.execute_script(style)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_looks(browser):
    """Text stands out, light and dark, and the page prints."""
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


def on_page(page, use):
    """Opens a file in a browser of its own and lets `use` have it; then nothing may have gone wrong."""
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile)
        try:
            browser.get('about:blank')
            browser.get_log('performance')  # the browser's own first page
            browser.get(pathlib.Path(page).resolve().as_uri())
            use(browser)
            check_logs(browser)
        finally:
            browser.quit()
    print(f'{CHECKS} checks good')


def take_screenshot(browser, file, dark, height):
    use_scheme(browser, 'dark' if dark else 'light')
    browser.set_window_size(1360, height)
    browser.save_screenshot(file)
