/** Ends the process with 78 (`EX_CONFIG`) if this Node.js is too old, or if there is no build. In the syntax of old versions. */
const { existsSync } = require('fs'); // eslint-disable-line unicorn/prefer-node-protocol -- unknown to old versions

const OLDEST = [20, 19];

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  refuse(
    `image-catalog needs Node.js ${OLDEST.join('.')} or later, and this is ${process.version}: install a later one from https://nodejs.org/.`,
  );
}
if (!existsSync(`${__dirname}/../dist/main.js`)) refuse('The service is not built: run "npm run build".');

function refuse(sentence) {
  console.error(sentence);
  process.exit(78);
}
