import UndercroftCore
import UndercroftInspection

extension StorageError {
  /// Returns the same error with a question whether a name is meant before the suggestion.
  func suggesting(name: String) -> StorageError {
    let question = "did you mean \(quoted(name))?"
    return suggesting(suggestion.map { "\(question) otherwise, \($0)" } ?? question)
  }

  /// The same error with the options of this tool as the suggestion, if options solve the problem.
  ///
  /// They are the options that read a store beside its writer for the error
  /// ``StorageError/Code/busy``, except those of the command and those without an effect on the
  /// store, and those that pass the key of a vault if no key was given or the key file does not
  /// exist. A command without the options, such as `watch`, suggests to compare copies. The busy
  /// error of copying a store is returned unchanged, because another copy would also fail, and so
  /// is that of a command that writes, which suggests its own option.
  var suggestingOptions: StorageError {
    if let missing = underlying as? MissingCredentials {
      return suggesting(
        missing.isKeyFileGiven
          ? "correct the path in --key-file, or pass --ask-passphrase instead"
          : "pass \(Self.keyOptions)")
    }
    guard code == .busy, !(underlying is StoreCopy.Changed), !(underlying is PreventedWrite) else {
      return self
    }
    let options = AccessArguments.options
    if options.snapshot { return self }
    if options.areMissing {
      return suggesting(
        """
        repeat the command when other processes write less often, or compare two copies that \
        "undercroft cp" has created at different times with "undercroft diff"
        """)
    }
    let instead = options.lock ? " instead of --lock" : ""
    let lock =
      options.lock || !mayBeLocked ? "" : ", or with --lock to hold a shared lock on a database"
    return suggesting(
      "repeat the command with --snapshot\(instead) to read a private copy of the store\(lock)")
  }

  /// Whether the backend of the error has shared locks, or is unknown.
  private var mayBeLocked: Bool {
    guard let factory = InspectorCommand.factories.first(where: { $0.scheme == backend }) else {
      return true
    }
    return factory.openLocked != nil
  }

  /// The options that pass the key of a vault.
  static let keyOptions = "--key-file FILE or --ask-passphrase"

  /// Returns the same error with another suggestion.
  func suggesting(_ suggestion: String) -> StorageError {
    StorageError(
      code, failure, suggestion: suggestion, backend: backend, key: key, underlying: underlying)
  }
}
