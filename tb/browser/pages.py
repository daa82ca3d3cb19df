# SPDX-License-Identifier: Apache-2.0
"""Checks of all pages: headless Chromium without network access, and what every page must fulfil."""
import base64
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
    """Contrast of text on the page, by WCAG."""
    def luminance(colour):
        parts = [int(part) / 255 for part in colour[colour.index('(') + 1:-1].split(',')[:3]]
        linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    style = 'const s = getComputedStyle(document.body); return [s.color, s.backgroundColor]'
    light, dark = sorted((luminance(c) for c in browser.execute_script(style)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def check_looks(browser):
    """Text is legible, light and dark, and the page prints."""
    for scheme in ('light', 'dark'):
        use_scheme(browser, scheme)
        check(contrast(browser) >= 7, f'text has contrast: {contrast(browser):.1f} ({scheme})')
    use_scheme(browser, 'light')
    size = browser.get_window_size()
    for width in (900, size['width']):
        browser.set_window_size(width, size['height'])
        check(browser.execute_script('const page = document.documentElement;'
                                     'return page.scrollWidth <= page.clientWidth'),
              f'nothing is wider than the page, which is {width} wide')
    pdf = base64.b64decode(browser.execute_cdp_cmd('Page.printToPDF', {})['data'])
    check(pdf.startswith(b'%PDF') and len(pdf) > 20_000, 'it prints')


def check_keyboard(browser):
    """Tab reaches every control, and the focus is visible."""
    browser.execute_script('document.activeElement.blur(); scrollTo(0, 0)')
    wanted = browser.execute_script("""
      return [...document.querySelectorAll('nav a, button, select, summary, [tabindex="0"]')]
          .filter((element) => element.offsetParent !== null).length;""")
    reached, outlined = set(), 0
    for _ in range(wanted + 100):
        ActionChains(browser).send_keys(Keys.TAB).perform()
        state = browser.execute_script("""
          const element = document.activeElement;
          if (!element || element === document.body) return null;
          element.dataset.tabbed = element.dataset.tabbed || String(Math.random());
          return [element.dataset.tabbed, getComputedStyle(element).outlineStyle];""")
        if state is None:  # after the last one
            continue
        if state[0] in reached:
            break
        reached.add(state[0])
        outlined += state[1] != 'none'
    check(len(reached) >= wanted, f'Tab reaches {len(reached)} of {wanted}')
    check(outlined == len(reached), f'the focus is seen at {outlined} of {len(reached)}')


def use_paper(browser):
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {'media': 'print'})
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")


def check_paper(browser):
    """On paper it is light, links and buttons are gone, and scrolled parts are complete."""
    use_paper(browser)
    check(contrast(browser) >= 7, 'paper: dark on white')
    facts = browser.execute_script("""
      const style = (selector) => getComputedStyle(document.querySelector(selector));
      return [style('nav').display, style('.wide').overflowY, getComputedStyle(document.body)
          .backgroundColor, [...document.querySelectorAll('details')].every((d) => d.open)];""")
    check(facts == ['none', 'visible', 'rgb(255, 255, 255)', True], f'paper: all is seen: {facts}')
    browser.execute_cdp_cmd('Emulation.setEmulatedMedia', {'media': ''})


def check_policy(browser):
    """What is not ours does not run, wherever in the page it has got to; nothing of ours is blocked."""
    check(browser.execute_script(
        "return document.head.querySelector('meta[http-equiv=Content-Security-Policy]') !== null"),
        'the page has a policy')
    browser.execute_script("""
      const script = document.createElement('script');
      script.textContent = 'window.intruder = true';
      document.body.append(script);
      const button = document.createElement('button');
      button.setAttribute('onclick', 'window.intruder = true');
      document.body.append(button);
      button.click();""")
    check(browser.execute_script('return window.intruder') is None, 'no other script runs')
    blocked = [entry['message'] for entry in browser.get_log('browser')]
    check(len(blocked) == 2 and all('Content Security Policy' in message for message in blocked),
          f'the browser says that it has blocked both: {blocked}')


def check_logs(browser):
    errors = [entry['message'] for entry in browser.get_log('browser')]
    check(not errors, f'the console is silent: {errors}')
    for entry in browser.get_log('performance'):
        message = json.loads(entry['message'])['message']
        check(message['method'] != 'Network.loadingFailed', f'nothing is blocked: {message}')
        if message['method'] == 'Network.requestWillBeSent':
            url = message['params']['request']['url']
            check(url.startswith(('file:', 'data:')), f'no request leaves: {url[:100]}')


def use_once(stamps, name, make, use):
    """Makes the pages, make(folder), and calls use(pages), unless these pages have passed before in the build
    folder of `stamps` (scripts/lib/once): then it ends with 77, which ctest shows as skipped."""
    with tempfile.TemporaryDirectory() as scratch:
        if stamps is None:
            return use(make(scratch))
        folder = stamps.resolve() / 'pages' / name  # its path is in the pages
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        pages = make(folder)
        once = [ROOT / 'scripts/lib/once', '--stamps', stamps, '--name', name, '--of', *pages, 'tb/browser']
        asked = subprocess.run([*once, '--look'], check=False).returncode
        if asked != 0:
            sys.exit(asked)
        use(pages)
        subprocess.run([*once, '--note'], check=True)


def on_page(page, use):
    """Opens a file in a new browser and calls `use` with it; afterwards no error may be logged."""
    with tempfile.TemporaryDirectory() as profile:
        browser = open_browser(profile)
        try:
            browser.get('about:blank')
            browser.get_log('performance')  # the browser's own first page
            browser.get(pathlib.Path(page).resolve().as_uri())
            use(browser)
            check_logs(browser)
            check_policy(browser)
        finally:
            browser.quit()
    print(f'{CHECKS} checks good')


def take_screenshot(browser, file, dark, height, paper=False):
    use_scheme(browser, 'dark' if dark else 'light')
    if paper:
        use_paper(browser)
    browser.set_window_size(1360, height)
    browser.save_screenshot(file)
