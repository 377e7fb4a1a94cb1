// Adds entries to a section-sign file the way amaster does: lock, read, write a new file, rename, unlock.
// Arguments: the folder of proper-lockfile, the file, a name, how many. Prints one JSON object.
const lockfile = require(process.argv[2]);
const fs = require('fs'), path = require('path'), crypto = require('crypto');
const [file, name, count] = process.argv.slice(3);
const options = { stale: 30000, retries: { retries: 10, factor: 1.5, minTimeout: 50, maxTimeout: 500 } };
const delimiter = '\n\u00a7\n';

async function add(text) {
  const release = await lockfile.lock(file, options);
  try {
    const entries = fs.readFileSync(file, 'utf8').split(delimiter).map((part) => part.trim()).filter(Boolean);
    const temp = path.join(path.dirname(file), `.mem_${crypto.randomBytes(6).toString('hex')}.tmp`);
    fs.writeFileSync(temp, [...entries, text].join(delimiter));
    fs.renameSync(temp, file);
  } finally {
    await release();
  }
}

(async () => {
  const acknowledged = [];
  let refused = 0;
  for (let number = 0; number < Number(count); number++) {
    const text = `node ${name} ${number}`;
    try {
      await add(text);
      acknowledged.push(text);
    } catch (error) {
      if (error.code !== 'ELOCKED') throw error;
      refused++;
    }
  }
  console.log(JSON.stringify({ acknowledged, refused }));
})();
