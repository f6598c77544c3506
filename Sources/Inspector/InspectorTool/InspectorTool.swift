import Undercroft
import UndercroftInspection
import UndercroftInspectorCommands
import UndercroftSQLite

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
      StoreInspectorFactory.standard + [.gdbm]
    #else
      StoreInspectorFactory.standard
    #endif
  }
}
