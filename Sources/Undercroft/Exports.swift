// `import Undercroft` is all that an application needs; GDBM, which is under the GPL, stays a product of its own.
@_exported public import UndercroftCore
@_exported public import UndercroftFiles
@_exported public import UndercroftKeyValue
@_exported public import UndercroftMigration
@_exported public import UndercroftRelational
@_exported public import UndercroftSQLite
@_exported public import UndercroftSecrets
