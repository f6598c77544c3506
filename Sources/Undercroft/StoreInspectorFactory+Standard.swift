public import UndercroftCore
import UndercroftFiles
import UndercroftKeyValue
import UndercroftSQLite
import UndercroftSecrets

extension StoreInspectorFactory {
  /// The openers of all backends of this umbrella.
  ///
  /// A tool adds those of other backends, such as GDBM.
  public static var standard: [StoreInspectorFactory] {
    [.settings, .files, .propertyLists, .singleFile, .vault, .sqlite]
  }
}
