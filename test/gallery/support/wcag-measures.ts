import type { Page } from 'playwright-core';

const MOST_TABS = 80;

/** In the page, as text: functions of the test would carry helpers of its loader with them. */
const HELPERS = `
  const CONTROLS = 'a[href], button, input, select, textarea, summary, [role=option], [role=slider], [role=checkbox]';
  // Behind a modal dialog nothing can be used.
  const layer = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const shown = (selector) => [...layer.querySelectorAll(selector)].filter((element) =>
    !element.disabled && element.checkVisibility({ visibilityProperty: true }) &&
    !element.closest('.skip:not(:focus), .visually-hidden:not(input)'));
  // A field that only screen readers see is used by its label.
  const targetOf = (element) => element.matches('input, select') ? element.closest('label') ?? element : element;
  const nameOf = (element) => element.tagName.toLowerCase() + ' ' +
    (element.className.baseVal ?? element.className) + ' ' +
    (element.getAttribute('aria-label') ?? element.textContent).slice(0, 40);
  const scrollsSideways = (element) => {
    for (let box = element.parentElement; box !== null; box = box.parentElement) {
      if (/auto|scroll/.test(getComputedStyle(box).overflowX) && box.scrollWidth > box.clientWidth) return true;
    }
    return false;
  };
`;

/** WCAG 1.4.10: what does not fit into the width of the page, so that it must be scrolled in two directions. */
export async function tooWide(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => { ${HELPERS}
    const width = document.documentElement.clientWidth;
    const scrolls = document.documentElement.scrollWidth > width ? ['the page'] : [];
    const outside = shown(CONTROLS).filter((element) => {
      const { left, right } = targetOf(element).getBoundingClientRect();
      return (right > innerWidth + 1 || left < -1) && !scrollsSideways(element);
    });
    return [...scrolls, ...outside.map(nameOf)];
  })()`);
}

/** Buttons and links whose middle belongs to another one, so that it is not they who are pressed; titles of dialogs that are not seen. */
export async function coveredControls(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => { ${HELPERS}
    const isIn = ({ left, top, right, bottom }, x, y) => x >= left && x < right && y >= top && y < bottom;
    const isClipped = (element, x, y) => {
      for (let box = element.parentElement; box !== null && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowY !== 'visible' && !isIn(box.getBoundingClientRect(), x, y)) return true;
        // It lies above what it stands in.
        if (box.matches(':modal')) break;
      }
      return !isIn({ left: 0, top: 0, right: innerWidth, bottom: innerHeight }, x, y);
    };
    const covered = shown(CONTROLS).flatMap((element) => {
      const { left, top, width, height } = targetOf(element).getBoundingClientRect();
      const [x, y] = [left + width / 2, top + height / 2];
      const hit = document.elementFromPoint(x, y);
      // A menu is over the page until it is closed.
      if (isClipped(element, x, y) || hit?.closest(':popover-open')) return [];
      const above = hit?.closest(CONTROLS);
      const isOther = above && ![element, targetOf(element)].some((own) => own.contains(above) || above.contains(own));
      return isOther ? [nameOf(above) + ' is upon ' + nameOf(element)] : [];
    });
    const titles = [...document.querySelectorAll('dialog:modal h2')].filter((title) => {
      const { left, top, width, height } = title.getBoundingClientRect();
      return height > 1 && title.checkVisibility({ visibilityProperty: true }) && isClipped(title, left + width / 2, top + height / 2);
    });
    return [...covered, ...titles.map((title) => 'not seen: ' + title.textContent)];
  })()`);
}

/** WCAG 2.5.8: controls that are smaller than 24 by 24 pixels. Links in a sentence are as high as its line. */
export async function smallTargets(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => { ${HELPERS}
    return shown(CONTROLS).filter((element) => {
      const { width, height } = targetOf(element).getBoundingClientRect();
      return (width < 24 || height < 24) && !element.matches('p a');
    }).map(nameOf);
  })()`);
}

/** WCAG 1.4.12: texts that are cut with more space between lines, words and letters, and are not cut without. */
export async function cutBySpacing(page: Page): Promise<readonly string[]> {
  return await page.evaluate<string[]>(`(() => { ${HELPERS}
    const isCut = (overflow, inner, outer) => /hidden|clip/.test(overflow) && inner > outer + 1;
    const cut = () => shown('*').filter((element) => {
      const { overflowX, overflowY } = getComputedStyle(element);
      return element.textContent.trim() !== '' &&
        (isCut(overflowX, element.scrollWidth, element.clientWidth) ||
          isCut(overflowY, element.scrollHeight, element.clientHeight));
    });
    const before = new Set(cut());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(
      '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }');
    document.adoptedStyleSheets = [sheet];
    const after = cut().filter((element) => !before.has(element)).map(nameOf);
    document.adoptedStyleSheets = [];
    return after;
  })()`);
}

/** WCAG 1.4.11: fields whose edge has less than 3:1 to what is inside. Those without an edge show a text of the person, or what to type. */
export async function faintEdges(page: Page, colorScheme: 'light' | 'dark'): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme });
  return await page.evaluate<string[]>(`(() => { ${HELPERS}
    const luminance = (colour) => {
      const [red, green, blue] = colour.match(/[0-9.]+/g).map((part) => part / 255)
        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const contrast = (one, other) => {
      const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
      return (light + 0.05) / (dark + 0.05);
    };
    const fields = shown('textarea, select, input:not([type=checkbox], [type=radio], [type=file])');
    return fields.filter((field) => {
      const { borderTopColor, borderTopStyle } = getComputedStyle(field.closest('.tags-field') ?? field);
      if (borderTopStyle === 'none' || /rgba\\(.* 0\\)/.test(borderTopColor)) return false;
      return contrast(borderTopColor, getComputedStyle(document.documentElement).backgroundColor) < 3;
    }).map(nameOf);
  })()`);
}

/** WCAG 2.1.2, 2.4.7, 2.4.11: what the Tab key does not leave, or what is not seen or has no ring while it has the focus. */
export async function focusFaults(page: Page): Promise<readonly string[]> {
  const faults: string[] = [];
  await page.evaluate('window.__focused = []');
  for (let presses = 0; presses < MOST_TABS; presses += 1) {
    await page.keyboard.press('Tab');
    const { fault, isAround } = await page.evaluate<{ fault: string; isAround: boolean }>(FOLLOW_FOCUS);
    if (fault !== '') faults.push(fault);
    if (isAround) return faults;
  }
  return [...faults, `the focus has not come around after ${MOST_TABS} presses of Tab`];
}

const FOLLOW_FOCUS = `(() => { ${HELPERS}
  const focused = document.activeElement;
  const isTrapped = focused === window.__focused.at(-1) && focused !== document.body;
  const isAround = !isTrapped && window.__focused.includes(focused);
  window.__focused.push(focused);
  if (isTrapped) return { fault: 'trapped: ' + nameOf(focused), isAround };
  if (focused === document.body || focused.matches('dialog, [tabindex="-1"]')) return { fault: '', isAround };
  const target = focused.matches('input, select') ? focused.closest('label, fieldset') ?? focused : focused;
  const { left, top, right, bottom } = target.getBoundingClientRect();
  const [x0, x1] = [Math.max(0, left), Math.min(innerWidth, right)];
  const [y0, y1] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  const isSeen = [0.1, 0.5, 0.9].some((across) => [0.1, 0.5, 0.9].some((down) =>
    target.contains(document.elementFromPoint(x0 + (x1 - x0) * across, y0 + (y1 - y0) * down))));
  if (x0 >= x1 || y0 >= y1 || !isSeen) return { fault: 'hidden: ' + nameOf(focused), isAround };
  let ringed = focused;
  while (ringed !== null && !hasRing(ringed)) ringed = ringed.parentElement;
  return { fault: ringed === null ? 'no ring: ' + nameOf(focused) : '', isAround };
  function hasRing(element) {
    return [null, '::before', '::after'].some((part) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element, part);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    }) || [...element.children].some((child) => getComputedStyle(child).outlineStyle !== 'none');
  }
})()`;
