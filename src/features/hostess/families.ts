/** Programs that go by several names. Pure. */

const FAMILIES: readonly (readonly string[])[] = [
  ['python', 'python3', 'python2'],
  ['node', 'nodejs', 'node.js'],
  ['postgres', 'postgresql', 'postmaster', 'psql'],
  ['apache', 'apache2', 'httpd'],
  ['sshd', 'ssh', 'openssh', 'openssh-server'],
  ['mysqld', 'mysql', 'mariadbd', 'mariadb'],
  ['dockerd', 'docker'],
  ['redis-server', 'redis'],
  ['mongod', 'mongo', 'mongodb'],
  ['cron', 'crond'],
  ['named', 'bind', 'bind9'],
  ['chronyd', 'chrony'],
  ['cupsd', 'cups'],
  ['php', 'php-fpm'],
];

/** Other names that a program of this name may run under; empty where it has one name only. */
export function otherNamesOf(name: string): readonly string[] {
  const low = name.toLowerCase();
  const family = FAMILIES.find((names) => names.includes(low)) ?? [];
  return family.filter((one) => one !== low);
}
