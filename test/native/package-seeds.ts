/** Seeds of the targets that read databases of packages, as SQLite 3.40, zlib 1.2.13 and lz4 1.9.4 wrote them. */
import { inflateRawSync } from 'node:zlib';

/** Deflated, base64. */
const RPM_DATABASE = {
  branch:
    '7ZQ/T8JAGMbft5T/IKgoqBRuAwJxMU4uFtMYYilYSyKTKaSKkT9BIHHlA7j6gfweLi4uLjq4uHjFECODLvomVZ703t616f1yz9M7' +
    'gKND9XxosdPeZcccsi0QABF2GQOANG9B+BDyJs6Mv1MaNpsY5h0BdwCvefk7qgqeeD6P9aHZaFuDfpv7eDKw+iOr25wduvZ0RTYU' +
    'ZshFVWEzL7Nds2MV+CjXR29cknC8PZmyajYvzDNrML0LnybJTB9nWLbVHXVYSTOUfUVnVb1UlvU6O1DqTK4ZlZLGvysrmlFgjXav' +
    'wYpqpci0isG0mqrm3HwhXryz1xPEV3zBJ3zEB7x/fzSX0xVI8uJP8OKL2VFHefGEeHH77O0s2nsT8Rn4Nde/UAhdEk4Pj1R4cqgf' +
    'A95gAW5554fUEkUYG1cEarnISAIZCalIv5a/j8wrLxnJQ0ZyOz7/EJlXQTJSgIzkd3z+UTKvImSkBTJS2PH5x8i8WiYjLZGRFh2f' +
    'f4LMqzgZaZWMtOL4/JNkXm2QkdbJSGuU+Qs8+kn+c339T6fI8peoSG8=',
  header:
    'pcwxDsIwDAVQQwsUEBMHaZy2aXsXQHKaZEMwcIGegIGBkYGJgXsBUu+Aq3pixdHXz5MsA8ACAJ4A0Yt7CsOM2G/xRPwRzwbH/T/i' +
    'zDlj9pI74azEfcecs3gjvoq3sn8T78T34f76IvuP3ntyHhA0tF3bWSorNDZUQWETPOXITzlfOPJa68wqlRmkrDZYllQ3NkcVgsGg' +
    'lcKCHPx94HcILKSH4yntkXwB',
  leaf:
    '7ZTLTgIxFIZPB+QisnLBRpLugEB0OtzjxsFMDHEYxnEwIfHWGTpq5CICD4Bx68qXVBMXxhewQJHIxr34t6fnfL0t2tMCHB/pN0OG' +
    'vd59hw5xFiRACPYwBuAhgA8WQtz8S/ybJNh2UXQSoF1AT7z5OzKlQCydRs0hddps0G/zc7wYsP6Idd1l9O1bmmpr2FYruoaXBpNd' +
    '2mEZTqk+CsbicTTOT7c0qXtLr9hg7qUfmyTm3QmcvO6OOrhq2NqBZmHTqtZUq4kPtSZWG3a9avB1Nc2wM9hp9xxc0esVbNRtbDR0' +
    'PRWdXuQHTOpK6GED+eFxi0fr3C55ir9wH1jktO9V8JrgN8HBGfsD4l2EBUe4D3GLCI6Kd6ILPhVsCj4T823B54JPZrz5LOZP1qEO' +
    'bTEgoMD43aHFEik4XsmTiesxmiO8yC2Wb1GmKErWkeVsgdBsuUCKRVp2nRyRPa9APEWWSZ62vo+Awk7vbrgzCUPT+0efwOu/VkMR' +
    '5IuH57/HFw==',
  log:
    'm8FlXs/WxKD7SIKBgYkBBJ6cMX072SHn+SGG898T3V7oA4UYkcWDLQRfccU/WBIc6JNZkqqQll+Um1iiYAzUzcTE4KCgwAAxiJkB' +
    'AUD6WdD4hAATg14yIy+IwWjNwNgLJIYPCGBiE9fWZowsSUzKSS0uzAGGY3xxamFpal4yOpfZOcjVMcRVIcTRycdVAU1SIy8xN1UH' +
    'yNMsZGQXl5VlbDQFGxmQmJydmJ5aDKOZUAxRhwmrK2hk5JXmKnj6hbi6uwYpBAR5+joGRSp4u0YqOIaG+Hv6AfX5uvqF6Cgk5eQn' +
    'KTj5+Dsp+PmHKPiF+vhoQuMZni7colI5U6/YZ/MywGRGwQgFoLzPDEsXUdebLfQvyiiPposRD1DKC/YUC431TZ4bQemCkfE5AxCN' +
    'guELxBmZGUwqsAD08kK0sXzd7n9XvCDp4jMDEI2CkQG4GZllOWGtEzztS0Yi25D4ACOsfTlaJw1OAAA=',
  overflow:
    '7ZQ9T8JAGMefA+RFwuTARHIbEIj0ChSIi2AaQywFsQwkvuRarmqkIAIfABNH4+Dg6KCLg99LTZj8Ah5whMji4GLU/91zz/Nrr8/Q' +
    '++cA9na10wHDdvfCoQOcBhcgBJsYA/ASwA0LIR6eJf5KLli3UGhSoA1A13z5Paq5vOFEAjUH1Gyzfq/N/+NRn/WGrGMto3urrhYN' +
    'FRvFkqbipZexDnVYklO8h3zhSASNstOWNWqd0WPWn2fXpybR+eMojp10hg4u64a6rdZxrV6uFOtNvKM2cbFhVMs6/66i6kYSm+2u' +
    'iUtatYT1qoH1hqbFQ9ODfITJ/Km6bCIPXCm8WuXxzF35wrN3YUP3q+AVwW+CfTP2eIWVAzNbe4I8+3mEBIeEtW8E7wu+E3wg9t8L' +
    'PhT8MOu/div2P03YoS0GBGQYjUdjk+byRDHtvC0Ry2Y0Q/iQWizbokyW5bQpSWmF0HRBIbkcLVhmhki2rRBbliSSpS34doNlUTAh' +
    '1T0fpCbgn54/egc+//U3FETuSGB+e3wA',
};

/** Base64. */
const MTREE = {
  dynamic:
    'LY+9TsQwEIT7PIUl+tyuf+PCLQghAQ9As87u3lkk3ImYAp6eHIdG+orRSDNzt/ZPkeGwSTf9+yJF2yLmq3EBc/zjemYp0fthPIyv' +
    'Tw+Pz/cvprdVCo5gtvYjxZmVA7ejbL1kAAyQJzez9VqBY45OE9tJMGmyZjuRDfE/XSlNGKtOCjirkMddwBKYxFrrKoCLSC5HTIny' +
    'XD2CakS11xrifRO9gYd6W+lTCLu13J4s7ePdXFFo+AU=',
  fixed:
    'U84tKUpN5dIvTi1RKKksSLVNy8xJVSjNTLE1UEgHk7n5Kam2ZiYmXHr6egHe7p5+bv4KJZm5qbaGegYKxZlVqbbGCrkppimZ6anF' +
    'JbaWBgaGpgaWFsbJKUYmaUkGKWaWZsZp5ilGFqmG5mnmRgrFGYlGpmZQ1UmJ5haGZklpFmkGhslpqYkmhkBokJJqmpKYamRkZJxk' +
    'YGBsZphobGlmaG6eaJmcZGJokJZmZphmBLImMQXopsQYAxODJIgrTcxNTYFCORCf5GTmZSuACNtELgA=',
  gzip:
    'H4sIAAAAAAACAy2PvU7EMBCE+zyFJfrcrn/jwi0IIQEPQLPO7t5ZJNyJmAKenhyHRvqK0Ugzc7f2T5HhsEk3/fsiRdsi5qtxAXP8' +
    '43pmKdH7YTyMr08Pj8/3L6a3VQqOYLb2I8WZlQO3o2y9ZAAMkCc3s/VagWOOThPbSTBpsmY7kQ3xP10pTRirTgo4q5DHXcASmMRa' +
    '6yqAi0guR0yJ8lw9gmpEtdca4n0TvYGHelvpUwi7tdyeLO3j3VxRaPgF8t34y+cAAAA=',
  stored: 'ATIAzf8jbXRyZWUKL3NldCB0eXBlPWZpbGUgdWlkPTAgZ2lkPTAgbW9kZT02NDQKLi8uUEtHSQ==',
  text:
    'I210cmVlCi9zZXQgdHlwZT1maWxlIHVpZD0wIGdpZD0wIG1vZGU9NjQ0Ci4vLlBLR0lORk8gdGltZT0xLjAgc2l6ZT0zIG1kNWRp' +
    'Z2VzdD05MDAxNTA5ODNjZDI0ZmIwZDY5NjNmN2QyOGUxN2Y3MiBzaGEyNTZkaWdlc3Q9YmE3ODE2YmY4ZjAxY2ZlYTQxNDE0MGRl' +
    'NWRhZTIyMjNiMDAzNjFhMzk2MTc3YTljYjQxMGZmNjFmMjAwMTVhZAouL2FcMDQwYiBtb2RlPTQ3NTUKLi9sIHR5cGU9bGluayBs' +
    'aW5rPWEK',
  zeros:
    '7cExAQAAAMKg9U9tDQ+gAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAgFcD',
};

/** Base64. */
const LZ4 = {
  checksums:
    'BCJNGHRAvWMAAAD2IVBhY2thZ2U6IHAxCkFyY2hpdGVjdHVyZTogYW1kNjQKVmVyc2lvbjogMS4xLTEKCjAAHzIwAA0aMjAAHzMwAA0a' +
    'MzAAHzQwAA0aNDAAHzUwAA0aNTAAHzYwAAtQMS42LTEJ8S9iAAAAABDWcS8=',
  frame:
    'BCJNGGRAp2MAAAD2IVBhY2thZ2U6IHAxCkFyY2hpdGVjdHVyZTogYW1kNjQKVmVyc2lvbjogMS4xLTEKCjAAHzIwAA0aMjAAHzMwAA0a' +
    'MzAAHzQwAA0aNDAAHzUwAA0aNTAAHzYwAAtQMS42LTEAAAAAENZxLw==',
};
const lz4Frame = Buffer.from(LZ4.frame, 'base64');
/** What the first byte of an input chooses: native/fuzz/apt.cc. */
const chosen = (which: number, bytes: Buffer | string): Buffer =>
  Buffer.concat([Buffer.of(which), Buffer.from(bytes)]);

const decoded = (texts: Readonly<Record<string, string>>, decode: (bytes: Buffer) => Buffer) =>
  Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, decode(Buffer.from(text, 'base64'))]),
  );

export const packageSeeds = {
  rpm_database: decoded(RPM_DATABASE, (bytes) => inflateRawSync(bytes)),
  mtree: decoded(MTREE, (bytes) => bytes),
  apt: {
    ...decoded(LZ4, (bytes) => chosen(1, bytes)),
    // Without header and size before it, end and checksum behind it.
    block: chosen(0, lz4Frame.subarray(11, -8)),
    versions: chosen(2, '1:1.0~rc1-1 1.0-1+deb12u1'),
  },
};
