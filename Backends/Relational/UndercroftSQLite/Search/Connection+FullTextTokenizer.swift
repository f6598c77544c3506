import CSQLite
public import UndercroftCore

extension Connection {
  /// Adds a tokenizer to this connection, for the full-text tables that
  /// specify the name of the tokenizer. (`fts5_api`, `xCreateTokenizer`)
  ///
  /// Call this function in ``DatabaseOptions/setUp``, so that every connection has the tokenizer.
  /// Without the tokenizer, SQLite cannot open such a full-text table.
  ///
  /// - Throws: ``StorageError/Code/notSupported`` if the SQLite library was built without FTS5.
  ///   ``StorageError/Code/misuse`` if the name is empty or contains NUL.
  public func add<Tokenizer: FullTextTokenizer>(
    _ tokenizer: Tokenizer.Type, named name: String
  ) throws(StorageError) {
    let state = try state
    guard let api = undercroft_sqlite_fts5(state.raw) else {
      throw StorageError(
        .notSupported,
        """
        cannot add the tokenizer \(quoted(name)): the linked libsqlite3 was built without FTS5
        """,
        suggestion: "link a libsqlite3 that was built with SQLITE_ENABLE_FTS5",
        backend: SQLiteBackend.name)
    }
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw .sqliteMisuse(
        "cannot add the tokenizer \(quoted(name)): the name is empty or contains a NUL character",
        suggestion: "choose a name that is not empty and contains no NUL character")
    }
    let added = AddedTokenizer(name, state.thrown) { try Tokenizer(arguments: $0) }
    let context = Unmanaged.passRetained(added)
    var methods = AddedTokenizer.methods
    let code = api.pointee.xCreateTokenizer(
      api, name, context.toOpaque(), &methods,
      { pointer in
        if let pointer { Unmanaged<AddedTokenizer>.fromOpaque(pointer).release() }
      })
    if code != SQLITE_OK { context.release() }
    try check(code, adding: "the tokenizer \(quoted(name))")
  }
}

/// A tokenizer type that was added to a connection, with the ``ThrownError`` of the connection,
/// which stores the errors of its tokenizers.
private final class AddedTokenizer {
  let name: String
  let thrown: ThrownError
  let make: ([String]) throws -> any FullTextTokenizer

  init(
    _ name: String, _ thrown: ThrownError,
    make: @escaping ([String]) throws -> any FullTextTokenizer
  ) {
    self.name = name
    self.thrown = thrown
    self.make = make
  }

  static let methods = fts5_tokenizer(
    xCreate: { context, arguments, count, result in
      guard let context, let result else { return SQLITE_MISUSE }
      let added = Unmanaged<AddedTokenizer>.fromOpaque(context).takeUnretainedValue()
      let words = (0..<max(0, Int(count))).map { offset in
        arguments?[offset].map { String(cString: $0) } ?? ""
      }
      do {
        let made = TableTokenizer(try added.make(words), added.name, added.thrown)
        result.pointee = OpaquePointer(Unmanaged.passRetained(made).toOpaque())
        return SQLITE_OK
      } catch {
        added.thrown.store(error)
        return ThrownError.code
      }
    },
    xDelete: { pointer in
      guard let pointer else { return }
      Unmanaged<TableTokenizer>.fromOpaque(UnsafeRawPointer(pointer)).release()
    },
    xTokenize: { pointer, context, flags, text, count, emit in
      guard let pointer, let emit else { return SQLITE_MISUSE }
      let tokenizer = Unmanaged<TableTokenizer>.fromOpaque(UnsafeRawPointer(pointer))
        .takeUnretainedValue()
      let bytes = UnsafeRawBufferPointer(start: text, count: text == nil ? 0 : Int(count))
      return tokenizer.tokenize(bytes, flags) { text, token in
        emit(
          context, token.isSynonym ? FTS5_TOKEN_COLOCATED : 0, text.baseAddress,
          Int32(clamping: text.count), Int32(clamping: token.range.lowerBound),
          Int32(clamping: token.range.upperBound))
      }
    })
}
