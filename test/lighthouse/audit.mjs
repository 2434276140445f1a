// Lets Lighthouse judge the gallery before and after signing in, as on a phone and on a desktop. Prints a JSON array of what
// it says. Usage: node audit.mjs <url of the gallery> <path of Chromium> <category>…
import lighthouse, { desktopConfig } from 'lighthouse';
import { launch } from 'puppeteer-core';

const [url, executablePath, ...onlyCategories] = process.argv.slice(2);
const browser = await launch({ executablePath, args: ['--no-sandbox', '--lang=en'] });
try {
  const page = await browser.newPage();
  await page.goto(url);
  const before = await auditOn(page, 'sign-in page');
  await signIn(page);
  const after = await auditOn(page, 'grid');
  console.log(JSON.stringify([...before, ...after]));
} finally {
  await browser.close();
}

async function signIn(page) {
  await page.goto(url);
  await page.locator('::-p-aria(Sign in[role="button"])').click();
  await page.locator('::-p-aria(Sign in as Demo[role="button"])').click();
  await page.locator('.grid-picture[data-loaded]').wait();
}

async function auditOn(page, view) {
  return [await audit(page, view, 'phone'), await audit(page, view, 'desktop')];
}

async function audit(page, view, device) {
  const config = device === 'desktop' ? desktopConfig : undefined;
  const { lhr } = await lighthouse(url, { onlyCategories, logLevel: 'error' }, config, page);
  if (lhr.runtimeError !== undefined) throw new Error(lhr.runtimeError.message);
  const scores = Object.fromEntries(Object.values(lhr.categories).map(({ id, score }) => [id, score]));
  return { view, device, scores, faults: faultsOf(lhr) };
}

/** The audits that take something from a score. */
function faultsOf({ categories, audits }) {
  return Object.values(categories).flatMap(({ auditRefs }) =>
    auditRefs
      .filter(({ id, weight }) => weight > 0 && audits[id].score !== null && audits[id].score < 1)
      .map(
        ({ id }) =>
          `${audits[id].title} (${id}): ${JSON.stringify(audits[id].details?.items ?? audits[id].displayValue)}`,
      ),
  );
}
