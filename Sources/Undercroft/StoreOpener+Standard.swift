public import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSQLite
import UndercroftSecrets

extension StoreOpener {
  /// The openers of all backends of this umbrella.
  ///
  /// A tool adds those of other backends, such as GDBM.
  public static var standard: [StoreOpener] {
    [.settings, .files, .propertyLists, .singleFile, .vault, .sqlite]
  }
}
