public import UndercroftCore
public import UndercroftFoundation

/// The way in which a tool copies the stores of one format while an application may write to them.
///
/// By default, a tool copies the file or folder of a store, and repeats this until nothing has
/// changed during the copy.
public struct StoreCopying: Sendable {
  /// A closure that copies the store at a location to a new file or folder.
  ///
  /// The closure changes nothing at the location of the store. The copy is one consistent state of
  /// the store.
  public typealias Copy =
    @Sendable (_ store: URL, _ copy: URL) throws(StorageError) -> Void

  /// The suffixes of the names of files beside a store that are part of it, such as ".journal".
  public let suffixes: [String]
  /// The suffixes of the names of files beside a store that a copy does not need, such as ".lock".
  public let omittedSuffixes: [String]
  /// Whether a file of a store is only appended to or replaced, so that a copy without the last
  /// appended bytes is an earlier state of the store.
  public let isAppendOnly: Bool
  /// The path of the file that writers lock, relative to the folder of a store, or `nil` if there
  /// is none or a copy does not need it.
  public let lockFile: String?
  /// The closure that copies a store, or `nil` if the files are copied one by one.
  public let copy: Copy?

  /// Creates the copying of stores whose files are copied one by one.
  ///
  /// - Parameters:
  ///   - suffixes: the suffixes of the names of files beside a store that are part of it.
  ///   - omittedSuffixes: the suffixes of the names of files beside a store that a copy does not
  ///     need.
  ///   - isAppendOnly: whether a file is only appended to or replaced. A copy then also succeeds
  ///     while an application appends to a file.
  ///   - lockFile: the path, relative to the folder of a store, of a file whose first and second
  ///     byte writers lock exclusively while they write. (`fcntl`) If the store changes during each
  ///     attempt to copy it, the last attempt holds shared locks on these bytes, so that writers
  ///     wait.
  public init(
    suffixes: [String] = [], omittedSuffixes: [String] = [], isAppendOnly: Bool = false,
    lockFile: String? = nil
  ) {
    self.suffixes = suffixes
    self.omittedSuffixes = omittedSuffixes
    self.isAppendOnly = isAppendOnly
    self.lockFile = lockFile
    copy = nil
  }

  /// Creates the copying of stores that a closure copies to one file or folder.
  ///
  /// - Parameters:
  ///   - omittedSuffixes: the suffixes of the names of files beside a store whose content `copy`
  ///     includes or does not need.
  ///   - copy: a closure that copies a store, and throws ``StorageError/Code/busy`` if other
  ///     processes changed the store during each attempt.
  public init(omittedSuffixes: [String], copy: @escaping Copy) {
    suffixes = []
    self.omittedSuffixes = omittedSuffixes
    isAppendOnly = false
    lockFile = nil
    self.copy = copy
  }
}
