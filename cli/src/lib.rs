//! winetl
