@_exported public import Positioning
