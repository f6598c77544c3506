public import UndercroftCore

extension StorageError.Code {
  /// Other processes changed the store during each attempt to read it.
  public static let busy = StorageError.Code(rawValue: "busy")
}
