public import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSQLite
import UndercroftSecrets

extension StoreOpener {
  /// The openers of all backends behind this umbrella; a tool adds those of its own, such as GDBM's.
  public static var standard: [StoreOpener] {
    [.settings, .files, .propertyLists, .singleFile, .vault, .sqlite]
  }
}
