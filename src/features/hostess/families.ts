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

/** Programs of one name that are often asked about: never a misspelled word. */
const SINGLE: ReadonlySet<string> = new Set(
  'bash zsh fish dash chromium chrome firefox thunderbird nginx haproxy traefik caddy grafana prometheus kafka consul vault etcd kubelet kubectl containerd podman rabbitmq memcached elasticsearch jenkins gitlab java ruby perl git vim nano htop tmux rsync samba postfix dovecot exim4 fail2ban ufw squid varnish tomcat minio influxd telegraf terraform ansible'.split(
    ' ',
  ),
);

/** A program that is known by this name, whether it runs or not. */
export const isProgramName = (name: string): boolean =>
  SINGLE.has(name.toLowerCase()) || FAMILIES.some((names) => names.includes(name.toLowerCase()));

/** Other names that a program of this name may run under; empty where it has one name only. */
export function otherNamesOf(name: string): readonly string[] {
  const low = name.toLowerCase();
  const family = FAMILIES.find((names) => names.includes(low)) ?? [];
  return family.filter((one) => one !== low);
}
