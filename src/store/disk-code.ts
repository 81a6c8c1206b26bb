/** Error codes that say that a disk is full, read-only or failing, or that another program holds a file: later it may do. */
export const isDiskCode = (code: string): boolean =>
  /^(?:ENOSPC|EDQUOT|EROFS|EIO|SQLITE_(?:FULL|IOERR|BUSY|LOCKED|PROTOCOL|READONLY))/.test(code);
