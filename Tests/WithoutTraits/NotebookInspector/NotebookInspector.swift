import Undercroft
import UndercroftInspection
import UndercroftInspectorCommands

@main enum NotebookInspector {
  static func main() {
    InspectorCommand.main(supporting: StoreInspectorFactory.standard + [.notebook])
  }
}
