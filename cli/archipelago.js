#!/usr/bin/env node
// Starts the command line with the platform's own Node, from the built code.
process.argv.splice(2, 0, 'cli');
await import('../scripts/run.js');
