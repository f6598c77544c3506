// Swift does not import the constants of C, because they are macros with operators.

extension SQLiteError.Code {
  // MARK: Of `SQLITE_ERROR`

  /// A collation that the schema names is not registered. (`SQLITE_ERROR_MISSING_COLLSEQ`)
  public static let missingCollation = Self(.error, 1)
  /// A statement must be prepared again. (`SQLITE_ERROR_RETRY`)
  public static let retry = Self(.error, 2)
  /// A snapshot is no longer available. (`SQLITE_ERROR_SNAPSHOT`)
  public static let errorSnapshot = Self(.error, 3)

  // MARK: Of `SQLITE_ABORT`

  /// The transaction of the running query was rolled back. (`SQLITE_ABORT_ROLLBACK`)
  public static let abortRollback = Self(.abort, 2)

  // MARK: Of `SQLITE_BUSY`

  /// Another process is recovering the write-ahead log. (`SQLITE_BUSY_RECOVERY`)
  public static let busyRecovery = Self(.busy, 1)
  /// This transaction cannot write, because another connection committed after this transaction had
  /// read. (`SQLITE_BUSY_SNAPSHOT`)
  public static let busySnapshot = Self(.busy, 2)
  /// A request for a blocking lock timed out. (`SQLITE_BUSY_TIMEOUT`)
  public static let busyTimeout = Self(.busy, 3)

  // MARK: Of `SQLITE_LOCKED`

  /// Another connection of the shared cache holds the lock. (`SQLITE_LOCKED_SHAREDCACHE`)
  public static let lockedSharedCache = Self(.locked, 1)
  /// A virtual table is locked. (`SQLITE_LOCKED_VTAB`)
  public static let lockedVirtualTable = Self(.locked, 2)

  // MARK: Of `SQLITE_READONLY`

  /// The write-ahead log must be recovered, and the file cannot be written.
  /// (`SQLITE_READONLY_RECOVERY`)
  public static let readOnlyRecovery = Self(.readOnly, 1)
  /// The lock file of the write-ahead log cannot be written. (`SQLITE_READONLY_CANTLOCK`)
  public static let readOnlyCannotLock = Self(.readOnly, 2)
  /// A hot journal must be rolled back, and the file cannot be written.
  /// (`SQLITE_READONLY_ROLLBACK`)
  public static let readOnlyRollback = Self(.readOnly, 3)
  /// The file was moved after it was opened. (`SQLITE_READONLY_DBMOVED`)
  public static let readOnlyDatabaseMoved = Self(.readOnly, 4)
  /// The shared memory of the write-ahead log cannot be initialized. (`SQLITE_READONLY_CANTINIT`)
  public static let readOnlyCannotInitialize = Self(.readOnly, 5)
  /// The folder of the database cannot be written. (`SQLITE_READONLY_DIRECTORY`)
  public static let readOnlyDirectory = Self(.readOnly, 6)

  // MARK: Of `SQLITE_IOERR`

  /// Reading from a file failed. (`SQLITE_IOERR_READ`)
  public static let ioErrorRead = Self(.ioError, 1)
  /// Fewer bytes were read from a file than expected. (`SQLITE_IOERR_SHORT_READ`)
  public static let ioErrorShortRead = Self(.ioError, 2)
  /// Writing to a file failed. (`SQLITE_IOERR_WRITE`)
  public static let ioErrorWrite = Self(.ioError, 3)
  /// Flushing a file failed. (`SQLITE_IOERR_FSYNC`)
  public static let ioErrorFlush = Self(.ioError, 4)
  /// Flushing a folder failed. (`SQLITE_IOERR_DIR_FSYNC`)
  public static let ioErrorFlushDirectory = Self(.ioError, 5)
  /// Truncating a file failed. (`SQLITE_IOERR_TRUNCATE`)
  public static let ioErrorTruncate = Self(.ioError, 6)
  /// Reading the status of a file failed. (`SQLITE_IOERR_FSTAT`)
  public static let ioErrorStatus = Self(.ioError, 7)
  /// Releasing a lock failed. (`SQLITE_IOERR_UNLOCK`)
  public static let ioErrorUnlock = Self(.ioError, 8)
  /// Acquiring a read lock failed. (`SQLITE_IOERR_RDLOCK`)
  public static let ioErrorReadLock = Self(.ioError, 9)
  /// Deleting a file failed. (`SQLITE_IOERR_DELETE`)
  public static let ioErrorDelete = Self(.ioError, 10)
  /// Memory for reading or writing could not be allocated. (`SQLITE_IOERR_NOMEM`)
  public static let ioErrorOutOfMemory = Self(.ioError, 12)
  /// Checking access to a file failed. (`SQLITE_IOERR_ACCESS`)
  public static let ioErrorAccess = Self(.ioError, 13)
  /// Checking a reserved lock failed. (`SQLITE_IOERR_CHECKRESERVEDLOCK`)
  public static let ioErrorCheckReservedLock = Self(.ioError, 14)
  /// Acquiring a lock failed. (`SQLITE_IOERR_LOCK`)
  public static let ioErrorLock = Self(.ioError, 15)
  /// Closing a file failed. (`SQLITE_IOERR_CLOSE`)
  public static let ioErrorClose = Self(.ioError, 16)
  /// Opening the shared memory of the write-ahead log failed. (`SQLITE_IOERR_SHMOPEN`)
  public static let ioErrorSharedMemoryOpen = Self(.ioError, 18)
  /// Resizing the shared memory of the write-ahead log failed. (`SQLITE_IOERR_SHMSIZE`)
  public static let ioErrorSharedMemorySize = Self(.ioError, 19)
  /// Locking the shared memory of the write-ahead log failed. (`SQLITE_IOERR_SHMLOCK`)
  public static let ioErrorSharedMemoryLock = Self(.ioError, 20)
  /// Mapping the shared memory of the write-ahead log failed. (`SQLITE_IOERR_SHMMAP`)
  public static let ioErrorSharedMemoryMap = Self(.ioError, 21)
  /// Seeking in a file failed. (`SQLITE_IOERR_SEEK`)
  public static let ioErrorSeek = Self(.ioError, 22)
  /// The file to delete does not exist. (`SQLITE_IOERR_DELETE_NOENT`)
  public static let ioErrorDeleteMissing = Self(.ioError, 23)
  /// Mapping a file failed. (`SQLITE_IOERR_MMAP`)
  public static let ioErrorMap = Self(.ioError, 24)
  /// No folder for temporary files was found. (`SQLITE_IOERR_GETTEMPPATH`)
  public static let ioErrorTemporaryPath = Self(.ioError, 25)
  /// The checksum of a page is wrong. (`SQLITE_IOERR_DATA`)
  public static let ioErrorChecksum = Self(.ioError, 32)
  /// The file system is damaged, or a page cannot be read. (`SQLITE_IOERR_CORRUPTFS`)
  public static let ioErrorCorruptFileSystem = Self(.ioError, 33)
  /// A mapped page could not be read. (`SQLITE_IOERR_IN_PAGE`)
  public static let ioErrorInPage = Self(.ioError, 34)

  // MARK: Of `SQLITE_CORRUPT`

  /// The content of a virtual table, such as a full-text index, is damaged. (`SQLITE_CORRUPT_VTAB`)
  public static let corruptVirtualTable = Self(.corrupt, 1)
  /// The table `sqlite_sequence` is damaged. (`SQLITE_CORRUPT_SEQUENCE`)
  public static let corruptSequence = Self(.corrupt, 2)
  /// An index does not match its table. (`SQLITE_CORRUPT_INDEX`)
  public static let corruptIndex = Self(.corrupt, 3)

  // MARK: Of `SQLITE_CANTOPEN`

  /// There is no folder for temporary files. (`SQLITE_CANTOPEN_NOTEMPDIR`)
  public static let cannotOpenNoTemporaryDirectory = Self(.cannotOpen, 1)
  /// The path names a folder. (`SQLITE_CANTOPEN_ISDIR`)
  public static let cannotOpenDirectory = Self(.cannotOpen, 2)
  /// The absolute path of the file could not be determined. (`SQLITE_CANTOPEN_FULLPATH`)
  public static let cannotOpenFullPath = Self(.cannotOpen, 3)
  /// The path could not be converted to the form that the system requires.
  /// (`SQLITE_CANTOPEN_CONVPATH`)
  public static let cannotOpenConvertPath = Self(.cannotOpen, 4)
  /// The path is a symbolic link, and links are not followed. (`SQLITE_CANTOPEN_SYMLINK`)
  public static let cannotOpenSymbolicLink = Self(.cannotOpen, 6)

  // MARK: Of `SQLITE_CONSTRAINT`

  /// A `CHECK` constraint was violated. (`SQLITE_CONSTRAINT_CHECK`)
  public static let constraintCheck = Self(.constraint, 1)
  /// The commit hook rejected the transaction. (`SQLITE_CONSTRAINT_COMMITHOOK`)
  public static let constraintCommitHook = Self(.constraint, 2)
  /// A foreign key was violated. (`SQLITE_CONSTRAINT_FOREIGNKEY`)
  public static let constraintForeignKey = Self(.constraint, 3)
  /// An extension function reported a violation. (`SQLITE_CONSTRAINT_FUNCTION`)
  public static let constraintFunction = Self(.constraint, 4)
  /// A `NOT NULL` constraint was violated. (`SQLITE_CONSTRAINT_NOTNULL`)
  public static let constraintNotNull = Self(.constraint, 5)
  /// A primary key is not unique. (`SQLITE_CONSTRAINT_PRIMARYKEY`)
  public static let constraintPrimaryKey = Self(.constraint, 6)
  /// A trigger raised an error with `RAISE`. (`SQLITE_CONSTRAINT_TRIGGER`)
  public static let constraintTrigger = Self(.constraint, 7)
  /// A `UNIQUE` constraint or index was violated. (`SQLITE_CONSTRAINT_UNIQUE`)
  public static let constraintUnique = Self(.constraint, 8)
  /// A virtual table reported a violation. (`SQLITE_CONSTRAINT_VTAB`)
  public static let constraintVirtualTable = Self(.constraint, 9)
  /// A rowid is not unique. (`SQLITE_CONSTRAINT_ROWID`)
  public static let constraintRowID = Self(.constraint, 10)
  /// An `UPDATE` trigger tried to delete the row that is being updated.
  /// (`SQLITE_CONSTRAINT_PINNED`)
  public static let constraintPinned = Self(.constraint, 11)
  /// A value has the wrong type for a column of a `STRICT` table. (`SQLITE_CONSTRAINT_DATATYPE`)
  public static let constraintDataType = Self(.constraint, 12)

  // MARK: Of `SQLITE_AUTH`

  /// User authentication failed. (`SQLITE_AUTH_USER`)
  public static let notAuthorizedUser = Self(.notAuthorized, 1)
}
