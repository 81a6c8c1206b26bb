/** Builds what the pages load in the browser: one script with its lazily loaded parts, and one style sheet. */
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/assets/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist/assets',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: false,
    // The licences of what is inside, for packaging/pack.ts.
    license: { fileName: 'licenses.md' },
    // What is missing is told by name, so names are fixed; the answers are never cached.
    rolldownOptions: {
      input: { pages: 'src/pages/browser/main.tsx', style: 'src/pages/style/index.css' },
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        assetFileNames: '[name][extname]',
      },
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
});
