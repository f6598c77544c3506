import UndercroftFiles
public import UndercroftInspection
import UndercroftKeyValue
import UndercroftSQLite

#if Secrets
  import UndercroftSecrets
#endif

extension StoreInspectorFactory {
  /// The inspector factories of all backends that the module `Undercroft` includes.
  ///
  /// A tool can add the factories of other backends, such as GDBM.
  public static var standard: [StoreInspectorFactory] {
    var factories: [StoreInspectorFactory] = [
      .settings, .files, .propertyLists, .singleFile,
      .sqlite.with(schema: .sqlite).with(migrations: .sqlite),
    ]
    #if Secrets
      factories.append(.vault)
    #endif
    return factories
  }
}
