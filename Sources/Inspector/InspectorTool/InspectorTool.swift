import Undercroft
import UndercroftInspection
import UndercroftInspectorCommands
import UndercroftSQLite
import UndercroftSync

#if GDBM
  import UndercroftGDBM
#endif

/// The command-line tool `undercroft`, which supports the backends of the toolkit.
@main enum InspectorTool {
  static func main() {
    InspectorCommand.main(
      supporting: factories, queryEngine: SQLiteQueryEngine(), disabledTraits: disabledTraits)
  }

  private static var disabledTraits: [String] {
    var names: [String] = []
    #if !GDBM
      names.append("GDBM")
    #endif
    #if !Secrets
      names.append("Secrets")
    #endif
    return names
  }

  /// The only list of backends of the tool.
  private static var factories: [StoreInspectorFactory] {
    #if GDBM
      standard + [.gdbm]
    #else
      standard
    #endif
  }

  /// The factories of the umbrella, of which the one for databases also shows synchronisation.
  ///
  /// The umbrella does not contain synchronisation, so that applications need not compile it.
  private static var standard: [StoreInspectorFactory] {
    StoreInspectorFactory.standard.map { factory in
      factory.scheme == SQLiteBackend.name ? factory.with(sync: .sqlite) : factory
    }
  }
}
