// An application needs only `import Undercroft`. GDBM is a separate
// product, because it is under the GPL.
@_exported public import UndercroftCore
@_exported public import UndercroftFiles
@_exported public import UndercroftKeyValue
@_exported public import UndercroftMigration
@_exported public import UndercroftRelational
@_exported public import UndercroftSQLite

#if Secrets
  @_exported public import UndercroftSecrets
#endif
